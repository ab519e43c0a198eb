package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/websocket"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/streaming/pkg/httpstream"
	"k8s.io/streaming/pkg/httpstream/spdy"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/shell"
	"github.com/statefulsim/statefulsim/sim"
)

// The channels of exec over a websocket: each message begins with the number of its channel. A message on the last one
// closes the channel that it names.
const (
	channelIn, channelOut, channelErr, channelStatus, channelClose = 0, 1, 2, 3, 255
)

// mostStreams is how many streams a command over SPDY has: with a terminal, one is for its size.
const mostStreams = 5

// protocols are those of exec that are spoken, the best first. With the second a client cannot say where its input
// ends, so none is read.
var protocols = []string{"v5.channel.k8s.io", "v4.channel.k8s.io"}

// exec answers a request to run a command in a container. The command runs at one instant, after all of its input has
// come. What it has done to files decides the readiness of the pod.
func (s *Server) exec(q *request) error {
	if len(q.query["command"]) == 0 {
		return apierrors.NewBadRequest("you must specify at least 1 command for the container")
	}
	s.mu.Lock()
	there := s.objects.Get(q.kind, q.key())
	s.mu.Unlock()
	if there != nil && there.Fields.Text("spec", "nodeName") == "" {
		return apierrors.NewBadRequest(fmt.Sprintf("pod %s does not have a host assigned", q.name))
	}
	if _, _, err := s.inContainer(q); err != nil {
		return err
	}
	if _, replayed := q.w.(*answered); replayed {
		in, err := io.ReadAll(q.http.Body)
		if err == nil {
			_, err = s.execute(q, string(in))
		}
		return err
	}
	switch upgrade := q.http.Header.Get("Upgrade"); {
	case strings.EqualFold(upgrade, "websocket"):
		websocket.Server{Handshake: agree, Handler: func(c *websocket.Conn) { s.stream(q, c) }}.ServeHTTP(q.w, q.http)
	case strings.EqualFold(upgrade, spdy.HeaderSpdy31) && s.config.When != nil && httpstream.IsUpgradeRequest(q.http):
		s.multiplex(q)
	default:
		return apierrors.NewBadRequest("exec is served over a websocket or over SPDY/3.1: ask for one of them")
	}
	return nil
}

// agree chooses the protocol.
func agree(c *websocket.Config, _ *http.Request) error {
	for _, ours := range protocols {
		if slices.Contains(c.Protocol, ours) {
			c.Protocol = []string{ours}
			return nil
		}
	}
	return errors.New("exec speaks " + strings.Join(protocols, " and "))
}

// stream serves a command over its connection.
func (s *Server) stream(q *request, c *websocket.Conn) {
	defer c.Close()
	c.PayloadType, c.MaxPayloadBytes = websocket.BinaryFrame, largest
	in := ""
	if q.asks("stdin") && c.Config().Protocol[0] == protocols[0] {
		in = input(c)
	}
	s.executed(q, in, func(channel byte, text string) {
		for len(text) > 0 {
			n := min(len(text), 32<<10)
			c.Write(append([]byte{channel}, text[:n]...))
			text = text[n:]
		}
	})
}

// executed runs a command, and sends what it prints and how it ends.
func (s *Server) executed(q *request, in string, send func(channel byte, text string)) {
	r, err := s.execute(q, in)
	send(channelOut, r.Out)
	send(channelErr, r.Err)
	data, _ := json.Marshal(ended(r.Code, err))
	send(channelStatus, string(data))
}

// opened is a stream that a client of SPDY has opened; one that is empty says that no more are waited for. Nothing may
// be written to it before it is agreed on.
type opened struct {
	httpstream.Stream
	agreed <-chan struct{}
}

// multiplex serves a command over SPDY, as most operators ask for it: each channel is a stream of its own.
func (s *Server) multiplex(q *request) {
	if _, err := httpstream.Handshake(q.http, q.w, protocols[1:]); err != nil {
		return
	}
	all := make(chan opened, mostStreams+1)
	var n atomic.Int32
	each := func(one httpstream.Stream, agreed <-chan struct{}) error {
		if n.Add(1) > mostStreams {
			return errors.New("exec has no more than five streams")
		}
		all <- opened{one, agreed}
		return nil
	}
	c := spdy.NewResponseUpgrader().UpgradeResponse(q.w, q.http, each)
	if c == nil {
		return
	}
	defer c.Close()
	c.SetIdleTimeout(time.Minute)
	s.config.When(c.CloseChan(), func() { all <- opened{} })
	streams := streamsOf(q, all)
	if streams == nil {
		return
	}
	in := ""
	if streams["stdin"] != nil {
		data, _ := io.ReadAll(io.LimitReader(streams["stdin"], largest))
		in = string(data)
	}
	names := []string{channelOut: "stdout", channelErr: "stderr", channelStatus: "error"}
	s.executed(q, in, func(channel byte, text string) {
		if to := streams[names[channel]]; to != nil {
			io.WriteString(to, text)
		}
	})
}

// streamsOf waits for the streams of a request and returns them by their types, nil if the client goes away before, or
// takes too long. With a terminal there is one for its size, and none for errors.
func streamsOf(q *request, all <-chan opened) map[string]httpstream.Stream {
	tty := q.asks("tty")
	wanted := 1
	for _, name := range []string{"stdin", "stdout", "stderr", "tty"} {
		if q.asks(name) && (name != "stderr" || !tty) {
			wanted++
		}
	}
	streams := map[string]httpstream.Stream{}
	for range wanted {
		one := <-all
		if one.Stream == nil {
			return nil
		}
		<-one.agreed
		streams[one.Headers().Get("streamType")] = one
	}
	return streams
}

// input reads what a client sends to the command, up to a limit.
func input(c *websocket.Conn) string {
	var in strings.Builder
	for in.Len() < largest {
		var message []byte
		if err := websocket.Message.Receive(c, &message); err != nil || len(message) == 0 || message[0] == channelClose {
			break
		}
		if message[0] == channelIn {
			in.Write(message[1:])
		}
	}
	return in.String()
}

// ended is what a client is told of the end of a command.
func ended(code int, err error) metav1.Status {
	var refused *apierrors.StatusError
	switch {
	case errors.As(err, &refused):
		return refused.ErrStatus
	case code == 0:
		return metav1.Status{Status: metav1.StatusSuccess}
	}
	return metav1.Status{Status: metav1.StatusFailure, Reason: "NonZeroExitCode",
		Message: fmt.Sprintf("command terminated with non-zero exit code: exit status %d", code),
		Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: "ExitCode", Message: strconv.Itoa(code)}}}}
}

// inContainer returns the pod and the container of a request, which must run.
func (s *Server) inContainer(q *request) (*objects.Object, kinds.Fields, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.catchUp()
	return s.container(q)
}

// container returns the pod and the container of a request: the one it names, or the only one, or the default one.
func (s *Server) container(q *request) (*objects.Object, kinds.Fields, error) {
	pod := s.objects.Get(q.kind, q.key())
	if pod == nil {
		return nil, nil, notFound(q.kind, q.name)
	}
	all := append(pod.Fields.List("spec", "containers"), pod.Fields.List("spec", "initContainers")...)
	name := q.query.Get("container")
	if name == "" {
		name = pod.Fields.Texts("metadata", "annotations")["kubectl.kubernetes.io/default-container"]
	}
	if own := pod.Fields.List("spec", "containers"); name == "" && len(own) > 0 {
		name = own[0].Text("name")
	}
	at := slices.IndexFunc(all, func(c kinds.Fields) bool { return c.Text("name") == name })
	if at < 0 {
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("container %s is not valid for pod %s", name, q.name))
	}
	switch phase := pod.Fields.Text("status", "phase"); {
	case phase == "Failed" || phase == "Succeeded":
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf(
			"cannot exec into a container in a completed pod; current phase is %s", phase))
	case phase != "Running" || !runs(pod, name):
		return nil, nil, apierrors.NewBadRequest(fmt.Sprintf("container not found (%q): it does not run now", name))
	}
	return pod, all[at], nil
}

// runs says whether a container of a pod runs.
func runs(pod *objects.Object, name string) bool {
	for _, list := range []string{"containerStatuses", "initContainerStatuses"} {
		for _, c := range pod.Fields.List("status", list) {
			if c.Text("name") == name {
				return c.Map("state", "running") != nil
			}
		}
	}
	return false
}

// execute runs the command of a request at this instant.
func (s *Server) execute(q *request, in string) (shell.Result, error) {
	var r shell.Result
	q.http.Body = &kept{from: http.NoBody}
	q.http.Body.(*kept).read.WriteString(in)
	_, err := s.locked(q, func() (*objects.Object, error) {
		pod, container, err := s.container(q)
		if err != nil {
			return nil, err
		}
		before := s.shut(pod)
		sh := s.shell(pod, container)
		if r = sh.Exec(q.query["command"], in); r.Code == 127 && len(sh.Unknown) > 0 && !strings.Contains(r.Err, "sh:") {
			r.Err = "exec: " + r.Err
		}
		if shut := s.shut(pod); shut != before {
			s.act(other("exec", q.kind, q.key()), ref{kinds.Pod, q.key()}, func(u *sim.User) *model.APIError {
				u.ShutPod(q.key(), shut)
				return nil
			})
		}
		return nil, nil
	})
	return r, err
}
