package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// cursor is where a watch is in the history.
type cursor struct {
	q       *request
	given   *internalversion.ListOptions
	matches func(*objects.Object) bool
	next    int
	// initial are the objects with which the watch begins; marks says that a bookmark tells where they end.
	initial []*objects.Object
	marks   bool
	// began is the version of that beginning.
	began uint64
	// sending says that something is on its way to the client.
	sending bool
	// columns says that a table with columns was sent.
	columns bool
}

// watches are those that are open.
type watches struct {
	all    []*cursor
	reader *reader
	pace   *pace
}

// watch answers a request for a watch: until the client goes away, its time is over, or it is too far behind.
func (w *watches) watch(q *request) error {
	given, err := q.listOptions(true)
	if err != nil {
		return err
	}
	matches, err := q.matches()
	if err != nil {
		return err
	}
	if q.form.media != mediaJSON {
		q.form = form{media: mediaJSON} // A stream is always JSON here.
	}
	c := &cursor{q: q, given: given, matches: matches}
	if err := w.startWatch(c); err != nil {
		return err
	}
	ctx := q.http.Context()
	if seconds, err := strconv.ParseInt(q.query.Get("timeoutSeconds"), 10, 64); err == nil && seconds != 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, model.Seconds(seconds))
		defer stop()
	}
	stop := context.AfterFunc(ctx, func() {
		w.pace.mu.Lock()
		defer w.pace.mu.Unlock()
		w.pace.changed.Broadcast()
	})
	defer stop()
	defer w.leave(c)
	q.w.Header().Set("Content-Type", "application/json")
	q.w.WriteHeader(http.StatusOK)
	flush(q.w)
	for {
		data, more := w.await(ctx, c)
		if _, err := q.w.Write(data); err != nil || !more {
			flush(q.w)
			return nil
		}
		flush(q.w)
	}
}

func flush(w http.ResponseWriter) {
	if f, is := w.(http.Flusher); is {
		f.Flush()
	}
}

// startWatch finds where a watch begins. While it goes on its request is not under way for the lockstep.
func (w *watches) startWatch(c *cursor) error {
	w.pace.mu.Lock()
	defer w.pace.mu.Unlock()
	w.pace.catchUp()
	version := c.given.ResourceVersion
	initial := c.given.SendInitialEvents != nil && *c.given.SendInitialEvents
	c.next, c.began = w.reader.cluster.Objects.End(), w.reader.cluster.User.Version()
	n, wrong := versionOf(version)
	if wrong != nil {
		return refuse.With(http.StatusInternalServerError, "", wrong.Error())
	}
	if n == 0 && c.given.SendInitialEvents == nil {
		initial = true // As 0 is, in whatever way it is written.
	}
	if n == 0 && !initial {
		w.enter(c)
		return nil
	}
	if initial {
		for _, o := range w.reader.cluster.Objects.List(c.q.kind, c.q.namespace) {
			if c.matches(o) {
				c.initial = append(c.initial, o)
			}
		}
		c.marks = c.given.AllowWatchBookmarks
		w.enter(c)
		return nil
	}
	if next, known := w.reader.cluster.Objects.After(n); known {
		c.next = next
	} else {
		c.next = -1
	}
	w.enter(c)
	return nil
}

// enter begins a watch, whose request is no longer under way for the lockstep.
func (w *watches) enter(c *cursor) {
	w.all = append(w.all, c)
	w.pace.under--
}

// leave ends a watch.
func (w *watches) leave(c *cursor) {
	w.pace.mu.Lock()
	defer w.pace.mu.Unlock()
	w.all = slices.DeleteFunc(w.all, func(other *cursor) bool { return other == c })
	w.pace.under++
}

// await waits until there is something for a watch, and returns it as it is sent. more is false if that is the last.
func (w *watches) await(ctx context.Context, c *cursor) (data []byte, more bool) {
	w.pace.mu.Lock()
	defer w.pace.mu.Unlock()
	c.sending = false
	for {
		if c.initial != nil || c.marks {
			return w.begins(c), true
		}
		changes, known := w.reader.cluster.Objects.From(c.next)
		if !known {
			gone := apierrors.NewResourceExpired("too old resource version").ErrStatus
			gone.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}
			return event("ERROR", gone), false
		}
		for i := 0; i < len(changes) && len(data) < mostUnread; i++ {
			data = append(data, w.told(c, &changes[i])...)
			c.next++
		}
		if len(data) > 0 {
			c.sending = true
			return data, true
		}
		if ctx.Err() != nil {
			return w.ends(ctx, c), false
		}
		w.pace.changed.Wait()
	}
}

// mostUnread is how much is made ready for a watch at once, up to the event that exceeds it: the client may not read
// it.
const mostUnread = 256 << 10

// begins returns the objects with which a watch begins, or the next of them.
func (w *watches) begins(c *cursor) []byte {
	var data []byte
	for len(c.initial) > 0 && len(data) < mostUnread {
		data = append(data, w.event(c, "ADDED", c.initial[0])...)
		c.initial = c.initial[1:]
	}
	c.sending = true
	if len(c.initial) > 0 {
		return data
	}
	if c.marks {
		end := map[string]any{metav1.InitialEventsAnnotationKey: "true"}
		data = append(data, w.bookmark(c, c.began, map[string]any{"annotations": end})...)
	}
	c.initial, c.marks = nil, false
	return data
}

// bookmark says up to which version a watch was sent everything.
func (w *watches) bookmark(c *cursor, version uint64, meta map[string]any) []byte {
	meta["resourceVersion"] = strconv.FormatUint(version, 10)
	return event("BOOKMARK", map[string]any{"apiVersion": c.q.seen().APIVersion(), "kind": c.q.kind.Kind, "metadata": meta})
}

// ends returns the last that a watch is sent whose time is over: from where the client may go on.
func (w *watches) ends(ctx context.Context, c *cursor) []byte {
	if c.next < 0 || !errors.Is(ctx.Err(), context.DeadlineExceeded) || !c.q.asks("allowWatchBookmarks") {
		return nil
	}
	return w.bookmark(c, w.reader.cluster.User.Version(), map[string]any{})
}

// told returns what a watch is sent of a change: an object that is selected no longer is deleted for it.
func (w *watches) told(c *cursor, change *objects.Change) []byte {
	selects := func(o *objects.Object) bool {
		return o != nil && (c.q.namespace == "" || o.Key.Namespace == c.q.namespace) && c.matches(o)
	}
	if change.Kind != c.q.kind {
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
func (w *watches) event(c *cursor, kind string, o *objects.Object) []byte {
	value := w.reader.sent(c.q, o)
	if whole, is := value.(raw); is {
		return written(kind, whole)
	}
	if table, is := value.(map[string]any); is && c.q.wantsTable() {
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

// written puts what was encoded once for all watches into an event.
func written(kind string, object []byte) []byte {
	data := make([]byte, 0, len(`{"type":"","object":}`)+len(kind)+len(object)+1)
	return append(append(fmt.Appendf(data, `{"type":%q,"object":`, kind), object...), "}\n"...)
}
