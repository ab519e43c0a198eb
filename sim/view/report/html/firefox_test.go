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
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// courier is a script that sends the page home once all else is done, since Firefox prints no DOM by itself, and then
// goes where the next page is.
const courier = `<script>
const wrong = [];
addEventListener("error", (event) => wrong.push(event.message));
addEventListener("unhandledrejection", (event) => wrong.push(String(event.reason)));
addEventListener("load", () => setTimeout(async () => {
  await window.answering;
  await new Promise((done) => setTimeout(done, 300));
  await fetch("/dom", { method: "POST", body: wrong.join("; ") + "\n" + document.documentElement.outerHTML });
  location.replace(await (await fetch("/next")).text());
}, 300));
</script>`

// firefox is one Firefox, which shows page after page: to begin one takes longer than all else.
type firefox struct {
	server *httptest.Server
	shown  int
	page   string
	next   chan string // the address of the page that is shown next
	home   chan string // what a page has become
	stop   func()
}

// firefoxes are those that run, by their flags. TestMain ends them.
var firefoxes = map[string]*firefox{}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, it := range firefoxes {
		it.stop()
	}
	os.Exit(code)
}

// openInFirefox does what open does, by a page that it serves on this machine and that sends home what it has become.
func (b *browser) openInFirefox(t *testing.T, page, fragment string, flags ...string) string {
	t.Helper()
	key := strings.Join(flags, " ")
	it := firefoxes[key]
	if it == nil {
		it = &firefox{next: make(chan string, 1), home: make(chan string, 1)}
		it.server = httptest.NewServer(it)
		firefoxes[key] = it
	}
	it.page = strings.Replace(unguarded(page), "</head>", courier+"</head>", 1)
	it.shown++
	address := fmt.Sprintf("%s/page-%d.html%s", it.server.URL, it.shown, fragment)
	if it.shown == 1 {
		it.begin(t, b.path, address, flags)
	} else {
		it.next <- address
	}
	select {
	case dom := <-it.home:
		complaints, dom, _ := strings.Cut(dom, "\n")
		require.Empty(t, complaints, "the page complains")
		return dom
	case <-time.After(patience):
		it.stop()
		delete(firefoxes, key)
		require.Fail(t, "Firefox has not answered in time")
		return ""
	}
}

// ServeHTTP gives a page, takes what it has become, and tells it where the next one is.
func (it *firefox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost:
		dom, _ := io.ReadAll(r.Body)
		it.home <- string(dom)
	case r.URL.Path == "/next":
		select {
		case address := <-it.next:
			_, _ = io.WriteString(w, address)
		case <-r.Context().Done():
		}
	case strings.HasPrefix(r.URL.Path, "/page-"):
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, it.page)
	default:
		http.NotFound(w, r)
	}
}

// begin begins Firefox with its first page.
func (it *firefox) begin(t *testing.T, path, address string, flags []string) {
	t.Helper()
	profile, err := os.MkdirTemp("", "firefox")
	require.NoError(t, err)
	prefs := `user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("app.update.auto", false);
user_pref("network.captive-portal-service.enabled", false);
`
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, path, "--headless", "--no-remote", "--profile", profile, address)
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
	it.stop = func() {
		stop()
		_ = cmd.Wait()
		it.server.CloseClientConnections()
		it.server.Close()
		_ = os.RemoveAll(profile)
	}
}
