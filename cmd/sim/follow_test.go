package main

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestFollowServed follows the rollouts of a cluster that sim serves, by a real kubectl: SIM_KUBECTL is its path.
func TestFollowServed(t *testing.T) {
	kubectl := os.Getenv("SIM_KUBECTL")
	if kubectl == "" {
		t.Skip("SIM_KUBECTL names no kubectl")
	}
	besideSim(t)
	sim, err := exec.LookPath("sim")
	require.NoError(t, err)
	dir := t.TempDir()
	config := filepath.Join(dir, "kubeconfig")
	require.NoError(t, os.Symlink(kubectl, filepath.Join(dir, "kubectl")))
	t.Setenv("PATH", dir)
	t.Setenv("KUBECONFIG", config)
	t.Chdir(dir)
	write := func(image string) {
		require.NoError(t, os.WriteFile("web.yaml", []byte(strings.ReplaceAll(servedSet, "IMAGE", image)), 0o644))
	}
	write("app:v1")
	server := exec.Command(sim, "serve", "--epoch", "now", "--kubeconfig", config, "web.yaml")
	require.NoError(t, server.Start())
	t.Cleanup(func() { _, _ = server.Process.Kill(), server.Wait() })
	require.Eventually(t, func() bool { _, err := os.Stat(config); return err == nil }, time.Minute, 50*time.Millisecond)
	code, out, stderr := call(t, command.Simulator, "", "follow", "web", "--every", "500ms", "--timeout", "1m")
	require.Equal(t, cli.ExitOK, code, out+stderr)
	require.Contains(t, out, "Complete after")
	write("app:v2")
	said, err := exec.Command(kubectl, "apply", "-f", "web.yaml").CombinedOutput()
	require.NoError(t, err, "%s", said)
	code, out, stderr = call(t, command.Simulator, "", "follow", "sts/web", "--every", "500ms", "--timeout", "1m", "--record", "seen.jsonl")
	require.Equal(t, cli.ExitOK, code, out+stderr)
	require.Contains(t, out, "forecast: in this order web-1, web-0; complete in about")
	require.NotContains(t, out, "!")
	code, again, stderr := call(t, command.Simulator, "", "follow", "web", "--replay", "seen.jsonl")
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Equal(t, out, again, "a recording is followed as it was")
	code, out, stderr = call(t, command.Simulator, "", "explain", "--live", "web")
	require.Equal(t, cli.ExitOK, code, out+stderr)
	require.Contains(t, out, "AT REST default/web (2 of 2)")
	code, out, stderr = call(t, command.Simulator, "", "explain", "--live", "--kubeconfig", refusing(t, config), "web")
	require.Equal(t, cli.ExitOK, code, out+stderr)
	require.Contains(t, stderr, "The cluster does not let you read: persistentvolumes, nodes.")
	require.Contains(t, out, "AT REST default/web (2 of 2)")
}

// refusing returns a kubeconfig of the same cluster behind a server that lets nobody read nodes and volumes.
func refusing(t *testing.T, config string) string {
	text, err := os.ReadFile(config)
	require.NoError(t, err)
	field := func(name string) string {
		found := regexp.MustCompile(name + `: "?([^"\s}]+)`).FindSubmatch(text)
		require.NotNil(t, found, "%s in %s", name, text)
		return string(found[1])
	}
	behind, err := url.Parse(field("server"))
	require.NoError(t, err)
	proxy := httputil.NewSingleHostReverseProxy(behind)
	proxy.Transport = &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	token := field("token")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		resource := path.Base(r.URL.Path)
		if resource == "nodes" || resource == "persistentvolumes" {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"details":{"kind":%q},`+
				`"message":"%s is forbidden: User \"jane\" cannot list resource \"%[2]s\" in API group \"\" at the cluster scope"}`, resource, resource)
			return
		}
		r.Header.Set("Authorization", "Bearer "+token)
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	own := filepath.Join(t.TempDir(), "refusing")
	require.NoError(t, os.WriteFile(own, fmt.Appendf(nil, "apiVersion: v1\nkind: Config\ncurrent-context: x\n"+
		"clusters: [{name: x, cluster: {server: %q}}]\ncontexts: [{name: x, context: {cluster: x, user: x}}]\nusers: [{name: x, user: {}}]\n", server.URL), 0o600))
	return own
}

const servedSet = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  serviceName: web
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: app, image: "IMAGE", readinessProbe: {tcpSocket: {port: 80}}}]
`
