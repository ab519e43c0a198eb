package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	protocol "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// longest is how long a call may take.
const longest = 5 * time.Minute

// tool is a tool with its input.
type tool[In any] struct {
	name, about string
	// section is the title in docs/json.md of the document that it returns, "" if the document is not described
	// field by field.
	section string
	// inputs returns where the input has texts or paths; nil if it has none. The command is given names in their place.
	inputs func(*In) []*string
	// part returns which part of the answer is wanted.
	part func(*In) part
	// answer lets the command answer.
	answer func(*call, *In) error
}

// call is one call of a tool: the input of a command, and its output.
type call struct {
	command.Call
	// folder is the root that manifests of scenarios may not leave.
	folder   string
	out, err bytes.Buffer
}

// add adds a tool to a server of the protocol.
func add[In any](s *server, on *protocol.Server, t tool[In]) {
	no := false
	protocol.AddTool(on, &protocol.Tool{
		Name: t.name, Description: t.about, OutputSchema: outputOf(t.section),
		Annotations: &protocol.ToolAnnotations{
			ReadOnlyHint: true, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &s.Live,
		},
	}, func(ctx context.Context, req *protocol.CallToolRequest, in In) (*protocol.CallToolResult, any, error) {
		roots, ask, err := s.roots(req, t.paths(&in))
		if ask != nil || err != nil {
			return ask, nil, err
		}
		end, err := s.begin(ctx)
		if err != nil {
			return nil, nil, err
		}
		defer end()
		defer progress(ctx, req)()
		result, err := answered(ctx, &t, in, roots)
		return result, nil, err
	})
}

// paths returns the inputs that are paths.
func (t *tool[In]) paths(in *In) []string {
	var paths []string
	if t.inputs != nil {
		for _, at := range t.inputs(in) {
			if *at != "" && !isText(*at) {
				paths = append(paths, *at)
			}
		}
	}
	return paths
}

// answered lets the command of a tool answer, and fits its output into an answer of the protocol. A command that
// finds a problem in its input (exit code 1) counts as an answer too.
func answered[In any](ctx context.Context, t *tool[In], in In, roots []root) (
	result *protocol.CallToolResult, err error) {
	defer work.Caught(&err)
	ctx, stop := context.WithTimeout(ctx, longest)
	defer stop()
	c := &call{}
	console := &command.Console{In: &bytes.Buffer{}, Out: &c.out, Err: &c.err, NoColor: true, Ctx: ctx,
		Engine: command.Simulator, Handed: map[string]files.Handed{}}
	if t.inputs != nil {
		h := handing{to: console.Handed, roots: roots, paths: t.paths(&in), limit: strict.DefaultLimits().FileSize}
		for _, at := range t.inputs(&in) {
			if *at, err = h.name(*at); err != nil {
				return nil, err
			}
		}
		c.folder = h.folder
	}
	console = console.Guarded()
	c.Call = common(console)
	err = t.answer(c, &in)
	console.Flush()
	notes := strings.TrimSpace(c.err.String())
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("it took longer than %s and was ended: ask for less", longest)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !errors.Is(err, work.ErrFailed) && c.out.Len() == 0, errors.As(err, new(work.Defect)):
		return nil, withNotes(err, notes)
	}
	return fitted(c.out.Bytes(), t.part(&in), notes)
}

// withNotes adds the command's standard error.
func withNotes(err error, notes string) error {
	if notes == "" {
		return err
	}
	return fmt.Errorf("%w\n%s", err, notes)
}

// progress tells the client every second that the call is still running, if the client asked for that. The caller
// ends it.
func progress(ctx context.Context, req *protocol.CallToolRequest) (end func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	go func() {
		every := time.NewTicker(time.Second)
		defer every.Stop()
		for seconds := 1; ; seconds++ {
			select {
			case <-ctx.Done():
				return
			case <-every.C:
				// A client that does not hear of it still gets its answer.
				_ = req.Session.NotifyProgress(ctx, &protocol.ProgressNotificationParams{
					ProgressToken: token, Progress: float64(seconds), Message: fmt.Sprintf("playing for %d s", seconds),
				})
			}
		}
	}()
	return stop
}

// outputOf is the schema of a tool's output.
func outputOf(section string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Description: title(section), Properties: fieldsOf(section)}
}
