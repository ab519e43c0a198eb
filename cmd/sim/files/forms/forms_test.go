package forms

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/tools/txtar"
)

// TestPlain: each archive is a form: a file as people hold it, what is read of it, and the notes or the error. An
// underscore at the end of a line keeps the spaces before it.
func TestPlain(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			archive := txtar.Parse(text)
			require.Zero(t, len(archive.Files)%3, "input, output and notes")
			for i := 0; i < len(archive.Files); i += 3 {
				in := archive.Files[i]
				got, notes, err := Plain(File{in.Name, in.Data}, 1<<20)
				if err != nil {
					notes = append(notes, err.Error())
					got.Data = nil
				}
				want := strings.ReplaceAll(string(archive.Files[i+1].Data), "_\n", "\n")
				require.Equal(t, strings.TrimRight(want, "\n"), strings.TrimRight(string(got.Data), "\n"), in.Name)
				require.Equal(t, string(archive.Files[i+2].Data), lines(notes), in.Name)
			}
		})
	}
}

func lines(list []string) string {
	var b strings.Builder
	for _, line := range list {
		fmt.Fprintln(&b, line)
	}
	return b.String()
}

// TestUTF16: what the PowerShell of Windows writes is read, in both orders of bytes. The limit holds for what is read.
func TestUTF16(t *testing.T) {
	for _, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		wide, err := unicode.UTF16(order, unicode.UseBOM).NewEncoder().String("kind: Pod # café\r\n")
		require.NoError(t, err)
		got, notes, err := Plain(File{"a.yaml", []byte(wide)}, 1<<20)
		require.NoError(t, err)
		require.Empty(t, notes)
		require.Equal(t, "kind: Pod # café\r\n", string(got.Data))
		_, _, err = Plain(File{"a.yaml", []byte(wide)}, 10)
		require.EqualError(t, err, "a.yaml: the file has more than 10 bytes: make it smaller, or raise the limit with "+
			"--max-file-size")
	}
}

// TestPlainIsCheap: a text that is as kubectl prints it is not copied.
func TestPlainIsCheap(t *testing.T) {
	text := []byte("apiVersion: v1\nitems:\n- kind: Pod\n  note: |\n    ```\n    $ kubectl get pods\n    ```\n\nkind: List\n")
	got, notes, err := Plain(File{"a.yaml", text}, 1<<20)
	require.NoError(t, err)
	require.Empty(t, notes)
	require.Same(t, &text[0], &got.Data[0])
	require.Len(t, got.Data, len(text))
}
