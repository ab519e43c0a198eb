//go:build !js

package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/answer"
	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/clock"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// serveOptions are the arguments of `sim serve`.
type serveOptions struct {
	answer.Call

	speed, epoch, kubeconfig string
	lockstep                 time.Duration
	port                     uint16
	// record and replay are the files of a session, and replayed is the one that was read; sources are the files that
	// the session begins with.
	record, replay string
	replayed       *serve.Session
	noHistory      bool
	sources        []serve.Source
}

func newServeCmd(s *answer.Console) *cobra.Command {
	o := &serveOptions{Call: answer.Call{Console: s, Output: answer.Formats[0].Name}}
	cmd := &cobra.Command{
		Use:     "serve [FILE...]",
		Short:   "Serve the API of Kubernetes over a simulated cluster, for kubectl",
		GroupID: groupServe,
		RunE:    asks(&o.Call, o.run),
	}
	flags := cmd.Flags()
	addWorldFlags(cmd, &o.World, s)
	flags.StringVar(&o.speed, "speed", "1x", "how fast virtual time passes: 1x, 60x, max (from event to event) or paused")
	flags.DurationVar(&o.lockstep, "lockstep", 0,
		"with --speed max: jump to the next event when clients were quiet that long")
	flags.StringVar(&o.epoch, "epoch", "fixed",
		"the time that clients see at the beginning: fixed, now, or like 2026-01-31T12:00:00Z")
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "the `FILE` to write the kubeconfig to (default: a temporary file)")
	flags.Uint16Var(&o.port, "port", 0, "the port on 127.0.0.1 (default: a free one)")
	flags.StringVar(&o.record, "record", "", "write what clients changed to `FILE`, a session")
	flags.StringVar(&o.replay, "replay", "", "play the session in `FILE` again, and serve nobody")
	flags.BoolVar(&o.noHistory, "no-history", false,
		"keep no events once they are printed, so that a long session takes no more memory: without checkpoints (-o text)")
	flags.VarP(&oneOf{value: &o.Output, of: answer.FormatNames()}, "output", "o",
		"text prints what happens as it happens; any other format of sim run is printed at the end")
	complete(cmd, "output", answer.FormatNames())
	return cmd
}

func newSaveCmd(s *answer.Console) *cobra.Command {
	o := &serveOptions{Call: answer.Call{Console: s}}
	cmd := &cobra.Command{
		Use:     "save SESSION",
		Short:   "Write a recorded session of sim serve as a scenario",
		GroupID: groupServe,
	}
	cmd.RunE = action(func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usagef("name one session, which sim serve --record has written")
		}
		session, name, err := o.session(args[0])
		if err != nil {
			return err
		}
		text, err := session.Scenario(name, o.World.Limits, answer.Version)
		if err != nil {
			return err
		}
		_, err = s.Out.Write(text)
		return err
	})
	addLimitFlags(cmd, &o.World.Limits)
	return cmd
}

// session reads a recorded session.
func (o *serveOptions) session(file string) (session *serve.Session, name string, err error) {
	in, data, err := o.From().Read(file, o.World.Limits.FileSize)
	if err != nil {
		return nil, "", err
	}
	session, err = serve.ReadSession(in.Name(), data)
	return session, in.Name(), err
}

// run serves until the user interrupts.
func (o *serveOptions) run() error {
	speed, err := o.checkFlags()
	if err != nil {
		return err
	}
	begin, err := o.begin()
	if err != nil {
		return err
	}
	config := begin.Config
	config.Speed, config.Lockstep, config.Record = speed, o.lockstep, o.record != ""
	config.NoHistory = o.noHistory
	if config.Epoch, err = o.epochOf(config.Epoch); err != nil {
		return err
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
	config.When = when
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
		err = server.Replay(o.replayed.Requests)
	} else {
		err = o.listen(server, wake, config.Kubernetes)
	}
	if err != nil {
		return err
	}
	events := server.End()
	if err := o.save(server, config.Epoch); err != nil {
		return err
	}
	switch {
	case o.noHistory:
		return live.EndWithoutNumbers(events)
	case o.Output == "text":
		return live.End(events)
	}
	return answer.FormatOf(o.Output).Write(o.Out, &report.Run{Name: "sim serve", Events: events}, o.Style())
}

// when calls a function when a channel is closed, but after a minute in any case: a client that does nothing with what
// it has asked for holds nothing up.
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
func (o *serveOptions) listen(server *serve.Server, wake <-chan struct{}, version string) error {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(o.port))))
	if err != nil {
		return usagef("--port %d: %v", o.port, err)
	}
	door, err := newDoor(listener.Addr().String())
	if err != nil {
		return err
	}
	file, remove, err := door.write(o.kubeconfig)
	if err != nil {
		return err
	}
	defer remove()
	h := &http.Server{Handler: door.guard(server), TLSConfig: door.tls,
		BaseContext: func(net.Listener) context.Context { return o.Ctx },
		ErrorLog:    quietLog()}
	go h.ServeTLS(listener, "", "")
	defer h.Close()
	fmt.Fprintf(o.Out, "Kubernetes %s at https://%s, at speed %s\n%s\n", version, listener.Addr(), o.speed,
		command.Line("export", "KUBECONFIG="+file))
	work.KeepSmall()
	server.Start()
	for o.Ctx.Err() == nil {
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
func (o *serveOptions) begin() (*serve.Beginning, error) {
	options := o.World.Options()
	if o.replay != "" {
		var err error
		if o.replayed, _, err = o.session(o.replay); err != nil {
			return nil, err
		}
		o.sources, options = o.replayed.Sources(), o.replayed.Options(o.World.Limits)
		return serve.Read(o.sources, options, answer.Version)
	}
	files, err := o.From().OpenAll(o.Files, o.World.Limits.FileSize)
	if err != nil {
		return nil, err
	}
	for _, in := range files {
		data, err := in.Read(o.World.Limits.FileSize)
		if err != nil {
			return nil, err
		}
		dir := scenario.Folder(in.Folder(), o.World.Root)
		o.sources = append(o.sources, serve.Source{Name: in.Name(), Data: data, Dir: dir})
	}
	return serve.Read(o.sources, options, answer.Version)
}

// save writes the session to the file of --record.
func (o *serveOptions) save(server *serve.Server, epoch time.Time) error {
	if o.record == "" {
		return nil
	}
	s := serve.Session{Requests: server.Recorded(), Header: serve.Header{Format: 1, Sim: answer.Version, Epoch: epoch,
		Kubernetes: o.World.Kubernetes, Gates: o.World.Gates, Seed: o.World.Seed, Files: []serve.File{}}}
	for _, source := range o.sources {
		s.Files = append(s.Files, serve.File{Name: source.Name, Text: string(source.Data)})
	}
	var text bytes.Buffer
	if err := s.Write(&text); err != nil {
		return err
	}
	return files.Written{Path: o.record, Text: text.Bytes(), Mode: 0o600}.Write()
}

// epochOf returns the time at which the session begins for its clients, which is fixed unless a flag says else.
func (o *serveOptions) epochOf(fixed time.Time) (time.Time, error) {
	if o.replayed != nil {
		return o.replayed.Epoch, nil
	}
	switch o.epoch {
	case "fixed":
		return fixed, nil
	case "now":
		return time.Now().Truncate(time.Second), nil
	}
	at, err := time.Parse(time.RFC3339, o.epoch)
	if err != nil {
		return at, usagef("--epoch %s: write fixed, now or a time like 2026-01-31T12:00:00Z", o.epoch)
	}
	return at, nil
}

// checkFlags says what is wrong with the flags.
func (o *serveOptions) checkFlags() (clock.Speed, error) {
	speed, err := clock.Parse(o.speed)
	switch {
	case err != nil:
		return speed, usagef("--speed %s", err)
	case o.lockstep < 0 || o.lockstep > 0 && speed != clock.Max:
		return speed, usagef("--lockstep goes with --speed max, and is not negative")
	case len(o.World.Several) > 0:
		return speed, usagef("name one version of Kubernetes")
	case o.noHistory && o.Output != "text":
		return speed, usagef("--no-history keeps no events, and -o %s is printed at the end: use -o text", o.Output)
	case o.replay != "" && (o.record != "" || len(o.Files) > 0):
		return speed, usagef("--replay has all that the session began with: leave out --record and files")
	}
	return speed, nil
}
