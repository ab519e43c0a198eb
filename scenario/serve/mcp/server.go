// Package mcp serves the questions that sim answers over the Model Context Protocol, for agents. Every tool is a
// command: its output is the public JSON of that command (docs/json.md). Nothing is written, no cluster is changed, and a
// live cluster is read only if the user has allowed it when the server was started.
package mcp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	protocol "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Serve are the arguments of `sim mcp`.
type Serve struct {
	*command.Console
	// Live lets the tools explain, plan and upgrade read the cluster of kubectl's context.
	Live bool
	// Roots are folders that input files may be in, in addition to the client's own roots.
	Roots []string
	// Memory is the most memory that the process may hold, in bytes.
	Memory int64
}

const (
	// mostCalls is how many calls are answered at once; others wait.
	mostCalls = 2
	// longestLine is the most bytes of one request.
	longestLine = 32 << 20
)

// server answers the calls of one client.
type server struct {
	*Serve
	turn chan struct{}
}

const instructions = `sim simulates rollouts of Kubernetes StatefulSets exactly as the controller of each Kubernetes version does
them.
explain: why is a StatefulSet stuck, and which commands fix it. plan: what will a change of a manifest do. advise: which
settings roll best. upgrade: what changes with another Kubernetes version. run and test: play scenarios. versions and
atlas: what differs between versions, and known traps. Give content as text; a path works below a root only. Answers are
the public JSON of the commands; what is too long is left out and listed in "omitted": ask again with "part".`

// Answer serves the client on standard input and output until it closes them.
func (o *Serve) Answer() error {
	work.CapMemory(o.Memory)
	s := &server{o, make(chan struct{}, mostCalls)}
	out := &locked{to: o.Out}
	in := &lines{from: bufio.NewReader(o.In), refuse: out.refuse}
	err := s.protocol().Run(o.Ctx, &protocol.IOTransport{Reader: io.NopCloser(in), Writer: out, MaxLineLength: -1})
	if o.Interrupted() {
		return work.ErrInterrupted
	}
	return err
}

// protocol returns the server of the protocol, with all tools and resources.
func (s *server) protocol() *protocol.Server {
	server := protocol.NewServer(&protocol.Implementation{
		Name: "sim", Title: "sim: StatefulSet rollouts, simulated", Version: command.Version,
	}, &protocol.ServerOptions{
		Instructions: instructions, Capabilities: &protocol.ServerCapabilities{},
	})
	server.AddReceivingMiddleware(brief)
	s.addTools(server)
	addResources(server)
	return server
}

// begin waits for the turn of a call. end must be called if there is no error.
func (s *server) begin(ctx context.Context) (end func(), err error) {
	select {
	case s.turn <- struct{}{}:
		return func() { <-s.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// brief cuts errors that repeat too much of the request.
func brief(next protocol.MethodHandler) protocol.MethodHandler {
	return func(ctx context.Context, method string, req protocol.Request) (protocol.Result, error) {
		result, err := next(ctx, method, req)
		if err != nil && len(err.Error()) > longestName {
			return result, errors.New(cutOff(err.Error(), longestName))
		}
		if of, is := result.(*protocol.CallToolResult); is && err == nil && of.IsError {
			for _, content := range of.Content {
				if text, is := content.(*protocol.TextContent); is {
					text.Text = cutOff(text.Text, longestError)
				}
			}
		}
		return result, err
	}
}

// longestError is the most bytes of an error about the input of a tool.
const longestError = 20_000

// cutOff returns a text of at most so many bytes, and says so if the text was longer.
func cutOff(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}
