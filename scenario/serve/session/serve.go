// Package session is the edge of a session of sim serve: it listens, lets time pass by the clock of this machine,
// writes the recording, and sends requests to a session of another process. It belongs to commands.
package session

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Serve are the arguments of `sim serve`.
type Serve struct {
	command.Call

	Speed, Epoch, Kubeconfig string
	Lockstep                 time.Duration
	Port                     uint16
	// Record and Replay are the files of a session, and replayed is the session that was read; sources are the
	// files that the session begins with.
	Record, Replay string
	replayed       *recording.Session
	NoHistory      bool
	// Controllers selects the controllers that act: all, none or a list (recording.ControllerWords).
	Controllers string
	sources     []recording.Source
	// broken is the panic that the session does not survive, if there was one.
	broken atomic.Pointer[work.Defect]
}

// Save are the arguments of `sim save`: a session.
type Save struct{ command.Call }

// Answer writes the session as a scenario.
func (o *Save) Answer() error {
	if len(o.Args) != 1 {
		return work.Usagef("name one session, which sim serve --record has written")
	}
	session, name, err := read(&o.Call, o.Args[0])
	if err != nil {
		return err
	}
	text, err := serve.Scenario(session, name, o.World.Limits, command.Version)
	if err != nil {
		return err
	}
	_, err = o.Out.Write(text)
	return err
}

// read reads a recorded session.
func read(o *command.Call, file string) (session *recording.Session, name string, err error) {
	in, data, err := o.From().Read(file, o.World.Limits.FileSize)
	if err != nil {
		return nil, "", err
	}
	session, err = recording.ReadSession(in.Name(), data)
	if err == nil && session.Torn > 0 {
		fmt.Fprintf(o.Err, "%s:%d: the last line was not written to its end, and is left out\n", in.Name(), session.Torn)
	}
	return session, in.Name(), err
}

// Answer serves until the user interrupts.
func (o *Serve) Answer() error {
	speed, err := o.checkFlags()
	if err != nil {
		return err
	}
	begin, err := o.begin()
	if err != nil {
		return err
	}
	config := serve.Config{Config: begin.Config}
	config.Speed, config.Lockstep, config.NoHistory = speed, o.Lockstep, o.NoHistory
	if config.Epoch, err = o.epochOf(config.Epoch); err != nil {
		return err
	}
	record, err := o.recording(config.Epoch)
	if err != nil {
		return err
	}
	if record != nil {
		config.Record = record.add
	}
	live := report.NewLive(o.Out, o.Style())
	if o.Output == "text" {
		config.Told, config.Restored = live.Write, live.Return
	}
	wake := make(chan struct{}, 1)
	config.Now, config.Wake = time.Now, func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
	config.When, config.Panicked = when, o.panicked
	config.Ended = func() bool { return o.Interrupted() || o.broken.Load() != nil }
	server := serve.New(config)
	for _, m := range begin.Manifests {
		if err := server.Load(m.JSON); err != nil {
			return fmt.Errorf("%s: %w", m.Where, err)
		}
	}
	if begin.Unplayed > 0 {
		fmt.Fprintf(o.Err, "%s: the cluster is that of the scenario; its steps are not played\n", o.sources[0].Name)
	}
	if o.replayed != nil {
		err = server.Replay(o.Replay, o.replayed.Requests)
	} else {
		err = o.listen(server, record, wake, config.Kubernetes)
	}
	if err != nil {
		return err
	}
	if broken := o.broken.Load(); broken != nil {
		return errors.Join(*broken, record.close())
	}
	run := &report.Run{Name: "sim serve", Events: server.End()}
	wrong := record.close()
	return errors.Join(wrong, o.tell(live, run))
}

// tell prints the end of the session.
func (o *Serve) tell(live *report.Live, run *report.Run) error {
	switch {
	case o.NoHistory:
		return live.EndWithoutNumbers(run.Events)
	case o.Output == "text":
		return live.End(run.Events)
	}
	return command.FormatOf(o.Output).WriteRun(o.Out, run, o.Style())
}

// panicked is called after a panic in a request. The session continues if nothing was half changed.
func (o *Serve) panicked(value any, stack string, whole bool) {
	bug := work.Defect{Value: value, Stack: stack}
	if !whole {
		o.broken.CompareAndSwap(nil, &bug)
		return
	}
	fmt.Fprintf(o.Err, "%s\nsim: internal error: this is a bug in sim, in a request of a client: %v\n"+
		"It had changed nothing yet: the session goes on. Please report it with the lines above.\n", stack, value)
}

// when calls a function when a channel is closed, or after a minute at the latest: a client that ignores its own
// answer holds nothing up.
func when(closed <-chan bool, do func()) {
	go func() {
		select {
		case <-closed:
		case <-time.After(time.Minute):
		}
		do()
	}()
}

// listen serves on a port of this machine, and lets time pass, until the user interrupts.
func (o *Serve) listen(server *serve.Server, record *recordFile, wake <-chan struct{}, version string) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(o.Port))))
	if err != nil {
		return work.Usagef("--port %d: %v", o.Port, err)
	}
	door, err := newDoor(listener.Addr().String())
	if err != nil {
		return err
	}
	file, remove, err := door.write(o.Kubeconfig)
	if err != nil {
		return err
	}
	defer remove()
	if err := record.begin(); err != nil {
		return err
	}
	server.Start() // Earlier events are not recorded.
	h := door.server(o.Ctx, server)
	go h.ServeTLS(few(listener), "", "")
	defer h.Close()
	fmt.Fprintf(o.Out, "Kubernetes %s at https://%s, at speed %s\n%s\n", version, listener.Addr(), o.Speed,
		shell.Line("export", "KUBECONFIG="+file))
	work.KeepSmall()
	for o.Ctx.Err() == nil && o.broken.Load() == nil {
		if d := server.Turn(); d > 0 {
			select {
			case <-o.Ctx.Done():
			case <-wake:
			case <-time.After(d):
			}
		}
	}
	return nil
}

// begin reads the files, or the session of --replay.
func (o *Serve) begin() (*recording.Beginning, error) {
	options := o.World.Options()
	if o.Replay != "" {
		var err error
		if o.replayed, _, err = read(&o.Call, o.Replay); err != nil {
			return nil, err
		}
		o.sources = o.replayed.Sources()
		return o.replayed.Begin(o.Replay, o.World.Limits, command.Version)
	}
	files, err := o.From().OpenAll(o.Args, o.World.Limits.FileSize)
	if err != nil {
		return nil, err
	}
	for _, in := range files {
		data, err := in.Read(o.World.Limits.FileSize)
		if err != nil {
			return nil, err
		}
		dir := scenario.Folder(in.Folder(), o.World.Root)
		o.sources = append(o.sources, recording.Source{Name: in.Name(), Data: data, Dir: dir})
	}
	begin, err := recording.Read(o.sources, options, command.Version)
	if err != nil {
		return nil, err
	}
	if err := begin.SetControllers(o.Controllers); err != nil {
		return nil, work.Usagef("%v", err)
	}
	return begin, nil
}

// epochOf returns the clients' time at the start of the session, which is fixed unless a flag says otherwise.
func (o *Serve) epochOf(fixed time.Time) (time.Time, error) {
	if o.replayed != nil {
		return o.replayed.Epoch, nil
	}
	switch o.Epoch {
	case "fixed":
		return fixed, nil
	case "now":
		return time.Now().Truncate(time.Second), nil
	}
	at, err := time.Parse(time.RFC3339, o.Epoch)
	if err != nil {
		return at, work.Usagef("--epoch %s: write fixed, now or a time like 2026-01-31T12:00:00Z", o.Epoch)
	}
	return at, nil
}

// checkFlags returns what is wrong with the flags.
func (o *Serve) checkFlags() (clock.Speed, error) {
	speed, err := clock.Parse(o.Speed)
	switch {
	case err != nil:
		return speed, work.Usagef("--speed %s", err)
	case o.Lockstep < 0 || o.Lockstep > 0 && speed != clock.Max:
		return speed, work.Usagef("--lockstep goes with --speed max, and is not negative")
	case len(o.World.Several) > 0:
		return speed, work.Usagef("name one version of Kubernetes")
	case o.NoHistory && o.Output != "text":
		return speed, work.Usagef("--no-history keeps no events, and -o %s is printed at the end: use -o text", o.Output)
	case o.Replay != "" && o.Controllers != recording.AllControllers:
		return speed, work.Usagef("--replay has the controllers of the session: leave out --controllers")
	case o.Replay != "" && (o.Record != "" || len(o.Args) > 0):
		return speed, work.Usagef("--replay has all that the session began with: leave out --record and files")
	}
	return speed, nil
}
