package advise

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// kubectl plays the API server for the script: it writes down its arguments, and prints the pods of the file whose number
// is that of the question, or else those of the last one.
const kubectl = `#!/bin/sh
echo "$*" >> log
case "$*" in
*"get pods"*)
  n=$(($(cat asked) + 1))
  echo $n > asked
  [ ! -e "pods-$n" ] || cp "pods-$n" pods
  cat pods ;;
*"get statefulset"*) printf %s "$(cat partition)" ;;
esac
`

// TestCanaryScript runs the script of a canary, watched for six minutes, in a shell: what the pods of the first stage do,
// with the number of the look at which they do so, and how the script ends. It must not go on to the next stage when one
// of them has not been well.
func TestCanaryScript(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	o := usual(t)
	o.Canary, o.Draws = true, 1
	a, err := Of(read(t, manifest(5, ""), manifest(5, "")), o)
	require.NoError(t, err)
	const well = "web-4 u1 <none> 0 <none> True\n"
	for _, c := range []struct {
		name, partition string
		pods            map[string]string
		code            int
		says            string
	}{
		{name: "all is well", partition: "4"},
		{name: "a crash after five minutes, Ready again at once", partition: "4",
			pods: map[string]string{"pods-61": "web-4 u1 <none> 1 <none> True\n"}, code: 1, says: "A new pod has restarted"},
		{name: "not Ready for a moment", partition: "4",
			pods: map[string]string{"pods-9": "web-4 u1 <none> 0 <none> False\n", "pods-10": well}, code: 1, says: "is not Ready"},
		{name: "not Ready from the first look on", partition: "4",
			pods: map[string]string{"pods-1": "web-4 u1 <none> 0 <none> False\n"}, code: 1, says: "is not Ready"},
		{name: "replaced", partition: "4", pods: map[string]string{"pods-30": "web-4 u2 <none> 0 <none> True\n"}, code: 1,
			says: "was replaced"},
		{name: "the manifest sets the partition back", partition: "0", code: 1,
			says: "The deployment has changed the partition from 4 to 0: take rollingUpdate.partition out of the manifest."},
		{name: "the manifest takes the block away", partition: "", code: 1, says: "from 4 to nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			write := func(name, text string) {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
			}
			write("kubectl", kubectl)
			write("sleep", "#!/bin/sh\n")
			write("asked", "0\n")
			write("pods", well)
			write("partition", c.partition)
			write("canary.sh", a.Canary().Script())
			for name, text := range c.pods {
				write(name, text)
			}
			run := exec.Command(sh, "canary.sh", "kubectl", "apply", "-f", "new.yaml")
			run.Dir, run.Env = dir, append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
			out, _ := run.CombinedOutput()
			require.Equal(t, c.code, run.ProcessState.ExitCode(), "%s", out)
			require.Contains(t, string(out), c.says)
			log, err := os.ReadFile(filepath.Join(dir, "log"))
			require.NoError(t, err)
			require.Equal(t, c.code == 0, strings.Contains(string(log), `"partition":0`), "%s", log)
		})
	}
}
