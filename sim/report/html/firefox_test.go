package html

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// courier is a script that sends the page home once all else is done: Firefox prints no DOM by itself.
const courier = `<script>
const wrong = [];
addEventListener("error", (event) => wrong.push(event.message));
addEventListener("unhandledrejection", (event) => wrong.push(String(event.reason)));
addEventListener("load", () => setTimeout(async () => {
  await window.answering;
  await new Promise((done) => setTimeout(done, 300));
  await fetch("/dom", { method: "POST", body: wrong.join("; ") + "\n" + document.documentElement.outerHTML });
}, 300));
</script>`

// openInFirefox does what open does, by a page that it serves on this machine and that sends home what it has become.
func (b *browser) openInFirefox(t *testing.T, page, fragment string, flags ...string) string {
	t.Helper()
	page = regexp.MustCompile(`<meta http-equiv[^>]*>`).ReplaceAllString(page, "")
	page = strings.Replace(page, "</head>", courier+"</head>", 1)
	home := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			dom, _ := io.ReadAll(r.Body)
			home <- string(dom)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, page)
	}))
	defer server.Close()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	profile, err := os.MkdirTemp(b.dir, "profile")
	require.NoError(t, err)
	prefs := `user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("app.update.auto", false);
user_pref("network.captive-portal-service.enabled", false);
`
	cmd := exec.CommandContext(ctx, b.path, "--headless", "--no-remote", "--profile", profile, server.URL+"/page.html"+fragment)
	cmd.Env = os.Environ()
	for _, flag := range flags {
		var width, height int
		if n, _ := fmt.Sscanf(flag, "--window-size=%d,%d", &width, &height); n == 2 {
			cmd.Env = append(cmd.Env, fmt.Sprintf("MOZ_HEADLESS_WIDTH=%d", width), fmt.Sprintf("MOZ_HEADLESS_HEIGHT=%d", height+85))
		}
		if flag == "--force-dark-mode" {
			prefs += `user_pref("layout.css.prefers-color-scheme.content-override", 0);`
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(profile, "user.js"), []byte(prefs), 0o644))
	require.NoError(t, cmd.Start())
	defer func() { stop(); _ = cmd.Wait() }()
	select {
	case dom := <-home:
		complaints, dom, _ := strings.Cut(dom, "\n")
		require.Empty(t, complaints, "the page complains")
		return dom
	case <-ctx.Done():
		require.Fail(t, "Firefox has not answered in time")
		return ""
	}
}
