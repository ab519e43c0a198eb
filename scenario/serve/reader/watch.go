package reader

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/pace"
	"github.com/statefulsim/statefulsim/scenario/serve/request"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// cursor is where a watch is in the history.
type cursor struct {
	q       *request.Request
	given   *internalversion.ListOptions
	matches func(*objects.Object) bool
	Next    int
	// Initial are the objects that the watch begins with; marks says that a bookmark marks their end.
	Initial []*objects.Object
	Marks   bool
	// began is the version that the watch began at.
	began uint64
	// sending is true while something is on its way to the client.
	sending bool
	// columns is true if a table with columns was sent.
	columns bool
}

// Watches are those that are open.
type Watches struct {
	All    []*cursor
	Reader *Reader
	Pace   *pace.Pace
}

// Watch serves a watch until the client disconnects, its time is over, or it falls too far behind.
func (w *Watches) Watch(q *request.Request) error {
	given, err := q.ListOptions(true)
	if err != nil {
		return err
	}
	matches, err := q.Matches()
	if err != nil {
		return err
	}
	if q.Form.Media != request.MediaJSON {
		q.Form = request.Form{Media: request.MediaJSON} // A stream is always JSON here.
	}
	c := &cursor{q: q, given: given, matches: matches}
	if err := w.startWatch(c); err != nil {
		return err
	}
	ctx := q.HTTP.Context()
	if seconds, err := strconv.ParseInt(q.Query.Get("timeoutSeconds"), 10, 64); err == nil && seconds != 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, model.Seconds(seconds))
		defer stop()
	}
	stop := context.AfterFunc(ctx, func() {
		w.Pace.Mu.Lock()
		defer w.Pace.Mu.Unlock()
		w.Pace.Changed.Broadcast()
	})
	defer stop()
	defer w.leave(c)
	q.Response.Header().Set("Content-Type", "application/json")
	q.Response.WriteHeader(http.StatusOK)
	flush(q.Response)
	for {
		data, more := w.await(ctx, c)
		if _, err := q.Response.Write(data); err != nil || !more {
			flush(q.Response)
			return nil
		}
		flush(q.Response)
	}
}

func flush(w http.ResponseWriter) {
	if f, is := w.(http.Flusher); is {
		f.Flush()
	}
}

// startWatch finds where a watch begins. From then on, the request no longer holds up the lockstep.
func (w *Watches) startWatch(c *cursor) error {
	w.Pace.Mu.Lock()
	defer w.Pace.Mu.Unlock()
	w.Pace.CatchUp()
	version := c.given.ResourceVersion
	initial := c.given.SendInitialEvents != nil && *c.given.SendInitialEvents
	c.Next, c.began = w.Reader.Cluster.Objects.End(), w.Reader.Cluster.User.Version()
	n, wrong := request.VersionOf(version)
	if wrong != nil {
		return refuse.With(http.StatusInternalServerError, "", wrong.Error())
	}
	if n == 0 && c.given.SendInitialEvents == nil {
		initial = true // Like 0, however it is written.
	}
	if n == 0 && !initial {
		w.enter(c)
		return nil
	}
	if initial {
		for _, o := range w.Reader.Cluster.Objects.List(c.q.Kind, c.q.Namespace) {
			if c.matches(o) {
				c.Initial = append(c.Initial, o)
			}
		}
		c.Marks = c.given.AllowWatchBookmarks
		w.enter(c)
		return nil
	}
	if next, known := w.Reader.Cluster.Objects.After(n); known {
		c.Next = next
	} else {
		c.Next = -1
	}
	w.enter(c)
	return nil
}

// enter begins a watch, whose request no longer holds up the lockstep.
func (w *Watches) enter(c *cursor) {
	w.All = append(w.All, c)
	w.Pace.Under--
}

// leave ends a watch.
func (w *Watches) leave(c *cursor) {
	w.Pace.Mu.Lock()
	defer w.Pace.Mu.Unlock()
	w.All = slices.DeleteFunc(w.All, func(other *cursor) bool { return other == c })
	w.Pace.Under++
}

// await waits until there is something for a watch, and returns it as it is sent. more is false if that is the last.
func (w *Watches) await(ctx context.Context, c *cursor) (data []byte, more bool) {
	w.Pace.Mu.Lock()
	defer w.Pace.Mu.Unlock()
	c.sending = false
	for {
		if c.Initial != nil || c.Marks {
			return w.begins(c), true
		}
		changes, known := w.Reader.Cluster.Objects.From(c.Next)
		if !known {
			gone := apierrors.NewResourceExpired("too old resource version").ErrStatus
			gone.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
			return event("ERROR", gone), false
		}
		for i := 0; i < len(changes) && len(data) < mostUnread; i++ {
			data = append(data, w.told(c, &changes[i])...)
			c.Next++
		}
		if len(data) > 0 {
			c.sending = true
			return data, true
		}
		if ctx.Err() != nil {
			return w.ends(ctx, c), false
		}
		w.Pace.Changed.Wait()
	}
}

// mostUnread is how much is made ready for a watch at once, up to the event that exceeds it: the client may not read
// it.
const mostUnread = 256 << 10

// begins returns the initial objects of a watch, or the next of them.
func (w *Watches) begins(c *cursor) []byte {
	var data []byte
	for len(c.Initial) > 0 && len(data) < mostUnread {
		data = append(data, w.event(c, "ADDED", c.Initial[0])...)
		c.Initial = c.Initial[1:]
	}
	c.sending = true
	if len(c.Initial) > 0 {
		return data
	}
	if c.Marks {
		end := map[string]any{metav1.InitialEventsAnnotationKey: "true"}
		data = append(data, w.bookmark(c, c.began, map[string]any{"annotations": end})...)
	}
	c.Initial, c.Marks = nil, false
	return data
}

// bookmark tells the client the version that the watch is complete up to.
func (w *Watches) bookmark(c *cursor, version uint64, meta map[string]any) []byte {
	meta["resourceVersion"] = strconv.FormatUint(version, 10)
	return event("BOOKMARK", map[string]any{"apiVersion": c.q.Seen().APIVersion(), "kind": c.q.Kind.Kind, "metadata": meta})
}

// ends returns the last that a watch is sent whose time is over: from where the client may continue.
func (w *Watches) ends(ctx context.Context, c *cursor) []byte {
	if c.Next < 0 || !errors.Is(ctx.Err(), context.DeadlineExceeded) || !c.q.Asks("allowWatchBookmarks") {
		return nil
	}
	return w.bookmark(c, w.Reader.Cluster.User.Version(), map[string]any{})
}

// told returns the event that a watch sends for a change: for the watch, an object that is no longer selected is
// deleted.
func (w *Watches) told(c *cursor, change *objects.Change) []byte {
	selects := func(o *objects.Object) bool {
		return o != nil && (c.q.Namespace == "" || o.Key.Namespace == c.q.Namespace) && c.matches(o)
	}
	if change.Kind != c.q.Kind {
		return nil
	}
	switch was, is := selects(change.Old), selects(change.New); {
	case was && is:
		return w.event(c, "MODIFIED", change.New)
	case is:
		return w.event(c, "ADDED", change.New)
	case was && change.New != nil:
		return w.event(c, "DELETED", change.Old.At(change.Version))
	case was:
		return w.event(c, "DELETED", change.Gone)
	}
	return nil
}

// event returns an event about an object in the form that the client asks for.
func (w *Watches) event(c *cursor, kind string, o *objects.Object) []byte {
	value := w.Reader.sent(c.q, o)
	if whole, is := value.(request.Raw); is {
		return written(kind, whole)
	}
	if table, is := value.(map[string]any); is && c.q.WantsTable() {
		if c.columns {
			table["columnDefinitions"] = nil
		}
		c.columns = true
	}
	return event(kind, value)
}

func event(kind string, object any) []byte {
	data, err := json.Marshal(object)
	if err != nil {
		panic("serve: an event cannot be encoded: " + err.Error())
	}
	return written(kind, data)
}

// written wraps an object, which was encoded once for all watches, into an event.
func written(kind string, object []byte) []byte {
	data := make([]byte, 0, len(`{"type":"","object":}`)+len(kind)+len(object)+1)
	return append(append(fmt.Appendf(data, `{"type":%q,"object":`, kind), object...), "}\n"...)
}

// Expire ends the watches of a kind.
func (w *Watches) Expire(kind *kinds.Kind) {
	for _, c := range w.All {
		if c.q.Kind == kind {
			c.Next = -1
		}
	}
}

// Drained reports whether every watch has been sent everything.
func (w *Watches) Drained() bool {
	return !slices.ContainsFunc(w.All, func(c *cursor) bool { return c.sending || c.Next < w.Reader.Cluster.Objects.End() })
}
