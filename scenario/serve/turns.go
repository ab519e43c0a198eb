package serve

import (
	"bytes"
	"io"
	"net/http"
	"runtime"
	"strings"
)

// newTurns returns the turns of requests that change objects: fewer at once than there are processors, so that whoever
// reads finds one that is free, however many such requests there are and however much work they make.
func newTurns() chan bool { return make(chan bool, max(1, runtime.GOMAXPROCS(0)-1)) }

// changes reports whether a request changes objects: it has its turn once all of its body is there, and gives the turn
// back before it is answered, so that a client that is slow keeps nobody waiting.
func changes(r *http.Request) bool {
	return r.Method != http.MethodGet && !strings.HasPrefix(r.URL.Path, "/"+Control+"/") &&
		!strings.HasSuffix(r.URL.Path, "/exec")
}

// inTurn reads the body of a request, and does something with it when the request has its turn.
func (s *Server) inTurn(r *http.Request, do func()) {
	// A buffer of the right size is not copied as it grows: large bodies of many clients would keep the collector busy.
	data := bytes.NewBuffer(make([]byte, 0, max(0, min(r.ContentLength, largest))+bytes.MinRead))
	_, err := data.ReadFrom(io.LimitReader(yielding{r.Body}, largest+1))
	whole := io.Reader(data)
	if err != nil {
		whole = io.MultiReader(whole, broken{err})
	}
	r.Body = io.NopCloser(whole)
	s.turns <- true
	defer func() { <-s.turns }()
	do()
}

// broken is the rest of a body that cannot be read.
type broken struct{ err error }

// Read returns the error.
func (b broken) Read([]byte) (int, error) { return 0, b.err }

// yielding is a body that others are not kept waiting by: whoever is ready runs between its pieces.
type yielding struct{ of io.Reader }

// Read reads a piece.
func (y yielding) Read(p []byte) (int, error) {
	runtime.Gosched()
	return y.of.Read(p)
}
