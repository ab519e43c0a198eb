package serve

import (
	"bytes"
	"io"
	"net/http"
	"runtime"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/scenario/serve/request"
)

// turns are the turns of requests that change objects.
type turns chan bool

// newTurns returns the turns of requests that change objects: fewer at once than there are processors, so that
// readers always find a free processor.
func newTurns() turns { return make(turns, max(1, runtime.GOMAXPROCS(0)-1)) }

// changes reports whether a request changes objects. Such a request gets its turn once all of its body is there,
// and gives the turn back before it is answered, so that a slow client does not keep others waiting.
func changes(r *http.Request) bool {
	return r.Method != http.MethodGet && !strings.HasPrefix(r.URL.Path, "/"+recording.Control+"/") &&
		!strings.HasSuffix(r.URL.Path, "/exec")
}

// take reads the body of a request, and does something with it when the request has its turn.
func (t turns) take(r *http.Request, do func()) {
	data, err := whole(io.LimitReader(yielding{r.Body}, request.Largest+1), r.ContentLength)
	body := io.Reader(data)
	if err != nil {
		body = io.MultiReader(body, broken{err})
	}
	r.Body = io.NopCloser(body)
	t <- true
	defer func() { <-t }()
	do()
}

// promised is how much of a body must have come before its promised length is believed.
const promised = 64 << 10

// whole reads a body. A large one gets a buffer of the length that the client promises, so that it is not copied as it
// grows: the bodies of many clients would keep the collector busy.
func whole(body io.Reader, length int64) (*bytes.Buffer, error) {
	var data bytes.Buffer
	_, err := io.CopyN(&data, body, promised)
	if err == nil {
		data.Grow(int(max(0, min(length, request.Largest)-promised)) + bytes.MinRead)
		_, err = data.ReadFrom(body)
	}
	if err == io.EOF {
		err = nil
	}
	return &data, err
}

// broken is the rest of a body that cannot be read.
type broken struct{ err error }

// Read returns the error.
func (b broken) Read([]byte) (int, error) { return 0, b.err }

// yielding is a body that does not keep others waiting: other goroutines run between its pieces.
type yielding struct{ of io.Reader }

// Read reads a piece.
func (y yielding) Read(p []byte) (int, error) {
	runtime.Gosched()
	return y.of.Read(p)
}
