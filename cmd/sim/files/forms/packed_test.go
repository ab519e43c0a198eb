package forms

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"
)

// entry is a file that is packed.
type entry struct{ name, text string }

func zipped(t testing.TB, entries ...entry) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		file, err := w.Create(e.name)
		require.NoError(t, err)
		_, err = io.WriteString(file, e.text)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

func tarred(t testing.TB, entries ...entry) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		require.NoError(t, w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: e.name, Size: int64(len(e.text)), Mode: 0o644}))
		_, err := io.WriteString(w, e.text)
		require.NoError(t, err)
	}
	require.NoError(t, w.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: "link.yaml", Linkname: "/etc/passwd"}))
	require.NoError(t, w.Close())
	return b.Bytes()
}

// compressions are what compresses a text, by the names of Packing.
var compressions = map[string]func(io.Writer) (io.WriteCloser, error){
	"gzip": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
	"xz":   func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
	"zstd": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
}

func compressed(t testing.TB, name string, data []byte) []byte {
	var b bytes.Buffer
	w, err := compressions[name](&b)
	require.NoError(t, err)
	_, err = w.Write(data)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func isYAML(name string) bool { return strings.HasSuffix(name, ".yaml") }

// TestUnpack: archives and compressed files are read, wherever the names in them lead, and links are not.
func TestUnpack(t *testing.T) {
	entries := []entry{{"b/pods.yaml", "old"}, {"../../etc/a.yaml", "a"}, {`..\c.yaml`, "c"}, {"/b/pods.yaml", "pods"},
		{"b/app.log", "log"}, {"b/old.log.gz", "x"}}
	want := &Unpacked{
		Files:  []File{{"x/b/pods.yaml", []byte("pods")}, {"x/c.yaml", []byte("c")}, {"x/etc/a.yaml", []byte("a")}},
		Nested: []string{"x/b/old.log.gz"},
	}
	packed := map[string][]byte{"zip": zipped(t, entries...), "tar": tarred(t, entries...)}
	for name, data := range packed {
		require.Equal(t, name, Packing(data))
	}
	for name := range compressions {
		packed["tar with "+name] = compressed(t, name, packed["tar"])
		require.Equal(t, name, Packing(packed["tar with "+name]))
		got, err := Unpack(File{"x.yaml." + name, compressed(t, name, []byte("kind: Pod\n"))}, isYAML, 1<<20)
		require.NoError(t, err)
		require.Equal(t, []File{{"x.yaml." + name, []byte("kind: Pod\n")}}, got.Files)
	}
	for name, data := range packed {
		got, err := Unpack(File{"x", data}, isYAML, 1<<20)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
	require.Empty(t, Packing([]byte("apiVersion: v1\n")))
}

// TestUnpackWrong: what is wrong with an archive is said with its name.
func TestUnpackWrong(t *testing.T) {
	const large = "x: what is packed in this file has more than 4096 bytes: make it smaller, or raise the limit with " +
		"--max-file-size"
	zeros := bytes.Repeat([]byte("0"), 1<<20)
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"one large file", zipped(t, entry{"a.yaml", string(zeros)}), large},
		{"several files", tarred(t, entry{"a.yaml", strings.Repeat("a", 3000)}, entry{"b.yaml", strings.Repeat("b", 1500)}), large},
		{"a bomb", compressed(t, "xz", zeros), large},
		{"a bomb that is passed over", compressed(t, "zstd", tarred(t, entry{"a.log", string(zeros)})), large},
		{"nested", compressed(t, "gzip", compressed(t, "gzip", []byte("kind: Pod"))),
			"x: this archive (gzip) cannot be unpacked: it is an archive in an archive: unpack the outer one first"},
		{"cut off", compressed(t, "gzip", []byte("kind: Pod"))[:20], "x: this archive (gzip) cannot be unpacked: unexpected EOF"},
		{"greedy", greedy(t), "x: this archive (xz) cannot be unpacked: it asks for more than 128 MiB to unpack it: compress it " +
			"again without options"},
	} {
		_, err := Unpack(File{"x", c.data}, isYAML, 4096)
		require.EqualError(t, err, c.want, c.name)
	}
}

// greedy is a file of xz whose block asks for a dictionary of four gigabytes.
func greedy(t testing.TB) []byte {
	data := compressed(t, "xz", []byte("kind: Pod"))
	header := data[12 : 12+(int(data[12])+1)*4]
	at := bytes.Index(header, []byte{0x21, 0x01})
	require.Positive(t, at)
	header[at+2] = 40
	body := header[:len(header)-4]
	binary.LittleEndian.PutUint32(header[len(body):], crc32.ChecksumIEEE(body))
	return data
}

// FuzzForms: whatever a file has in it, reading it ends, with no more than the limit, and with names in the archive. A
// text keeps its lines.
func FuzzForms(f *testing.F) {
	text := []byte("```yaml\n> kind: Pod\n$ kubectl get pods\n{\"type\": \"ADDED\", \"object\": {}}\n")
	f.Add(text)
	f.Add([]byte("\xff\xfea\x00\n\x00"))
	f.Add([]byte("[{\"metadata\": {}}]"))
	f.Add([]byte("{\"type\": \"ADDED\", \"object\": {\"kind\": \"Pod\"}}"))
	f.Add(zipped(f, entry{"../a.yaml", string(text)}))
	f.Add(tarred(f, entry{"a/../../b.yaml", string(text)}))
	for name := range compressions {
		f.Add(compressed(f, name, text))
		f.Add(compressed(f, name, tarred(f, entry{"a.yaml", string(text)})))
	}
	f.Add(greedy(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		const limit = 64 << 10
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		list := []File{{"cluster-resources/pods/a.json", data}}
		if Packing(data) != "" {
			out, err := Unpack(File{"x", data}, isYAML, limit)
			if err != nil {
				return
			}
			list = out.Files
		}
		sum := 0
		for _, file := range list {
			sum += len(file.Data)
			require.NotContains(t, file.Name+"/", "/../")
			plain, _, err := Plain(file, limit)
			if err == nil {
				require.LessOrEqual(t, len(plain.Data), limit+100)
			}
		}
		runtime.ReadMemStats(&after)
		require.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, uint64(512<<20))
		if Packing(data) != "" {
			require.LessOrEqual(t, sum, limit)
		}
	})
}
