package container

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

	"github.com/statefulsim/statefulsim/scenario/serve/shell"
)

// The channels of exec over a websocket: each message begins with the number of its channel. A message on the last one
// closes the channel that it names.
const (
	channelIn, channelOut, channelErr, channelStatus, channelClose = 0, 1, 2, 3, 255
)

// mostStreams is how many streams a command over SPDY has: with a terminal, one is for its size.
const mostStreams = 5

// protocols are the supported exec protocols, the best first. With the second a client cannot mark the end of its
// input, so none is read.
var protocols = []string{"v5.channel.k8s.io", "v4.channel.k8s.io"}

// mostIn is how much input of a command is read.
const mostIn = 3 << 20

// Command is a command in a container that a client waits for at its streams.
type Command struct {
	Stdin, Stdout, Stderr, TTY bool
	// Run runs the command, after all of its input has come.
	Run func(in string) (shell.Result, error)
	// When calls a function when a channel is closed, or when a client had long enough to open its streams, on a goroutine
	// of its own. Without it the command is not served over SPDY.
	When func(closed <-chan bool, do func())
}

// Serve upgrades a request to the streams of the command, and answers there.
func (c *Command) Serve(w http.ResponseWriter, r *http.Request) error {
	switch upgrade := r.Header.Get("Upgrade"); {
	case strings.EqualFold(upgrade, "websocket"):
		websocket.Server{Handshake: agree, Handler: c.stream}.ServeHTTP(w, r)
	case strings.EqualFold(upgrade, spdy.HeaderSpdy31) && c.When != nil && httpstream.IsUpgradeRequest(r):
		c.multiplex(w, r)
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
func (c *Command) stream(conn *websocket.Conn) {
	defer conn.Close()
	conn.PayloadType, conn.MaxPayloadBytes = websocket.BinaryFrame, mostIn
	in := ""
	if c.Stdin && conn.Config().Protocol[0] == protocols[0] {
		in = input(conn)
	}
	c.answer(in, func(channel byte, text string) {
		for len(text) > 0 {
			n := min(len(text), 32<<10)
			conn.Write(append([]byte{channel}, text[:n]...))
			text = text[n:]
		}
	})
}

// answer runs a command, and sends its output and its exit status.
func (c *Command) answer(in string, send func(channel byte, text string)) {
	r, err := c.Run(in)
	send(channelOut, r.Out)
	send(channelErr, r.Err)
	data, _ := json.Marshal(ended(r.Code, err))
	send(channelStatus, string(data))
}

// opened is a stream that a SPDY client has opened; an empty one means that no more streams are expected. Nothing
// may be written to it before it is agreed on.
type opened struct {
	httpstream.Stream
	agreed <-chan struct{}
}

// multiplex serves a command over SPDY, as most operators ask for it: each channel is a stream of its own.
func (c *Command) multiplex(w http.ResponseWriter, r *http.Request) {
	if _, err := httpstream.Handshake(r, w, protocols[1:]); err != nil {
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
	conn := spdy.NewResponseUpgrader().UpgradeResponse(w, r, each)
	if conn == nil {
		return
	}
	defer conn.Close()
	conn.SetIdleTimeout(time.Minute)
	c.When(conn.CloseChan(), func() { all <- opened{} })
	streams := c.streams(all)
	if streams == nil {
		return
	}
	in := ""
	if streams["stdin"] != nil {
		data, _ := io.ReadAll(io.LimitReader(streams["stdin"], mostIn))
		in = string(data)
	}
	names := []string{channelOut: "stdout", channelErr: "stderr", channelStatus: "error"}
	c.answer(in, func(channel byte, text string) {
		if to := streams[names[channel]]; to != nil {
			io.WriteString(to, text)
		}
	})
}

// streams waits for the streams of a command and returns them by their types, nil if the client disconnects first
// or takes too long. With a terminal there is a stream for its size, and none for errors.
func (c *Command) streams(all <-chan opened) map[string]httpstream.Stream {
	wanted := 1
	for _, asked := range []bool{c.Stdin, c.Stdout, c.Stderr && !c.TTY, c.TTY} {
		if asked {
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

// input reads the client's input to the command, up to a limit.
func input(c *websocket.Conn) string {
	var in strings.Builder
	for in.Len() < mostIn {
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

// ended is the message to a client about the end of a command.
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
