package session

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/pace"
	"github.com/statefulsim/statefulsim/scenario/serve/reader"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Clock are the arguments of `sim clock`: what to do to the clock, or nothing to show it. Kubeconfig is the file
// that sim serve has written; "" uses the file of the environment.
type Clock struct {
	command.Call
	Kubeconfig string
}

// clockWords are the acts on a clock, each with the query that takes its argument, "" for none.
var clockWords = [][2]string{{"advance", "by"}, {"step", ""}, {"settle", ""}, {"speed", "to"}, {"pause", ""}}

// Answer moves the clock of the session, and prints its time.
func (o *Clock) Answer() error {
	args, do, query := o.Args, "", url.Values{}
	if len(args) > 0 {
		at := slices.IndexFunc(clockWords, func(w [2]string) bool { return w[0] == args[0] })
		if at < 0 || len(args) != 1+min(1, len(clockWords[at][1])) {
			return work.Usagef("%s: write advance DURATION, step, settle, speed SPEED or pause", strings.Join(args, " "))
		}
		if do = args[0]; len(args) > 1 {
			query.Set(clockWords[at][1], args[1])
		}
	}
	path := "clock"
	if do != "" {
		path += "/" + do
	}
	var told pace.Time
	if err := askSession(o.Ctx, o.Kubeconfig, serve.Question{Do: do != "", Path: path, Query: query}, &told); err != nil {
		return err
	}
	return tellTime(o.Console, &told)
}

// Keep are the arguments of `sim checkpoint` and `sim restore`: the name of the checkpoint. Verb is the command,
// and the first word of the path of the request.
type Keep struct {
	command.Call
	Kubeconfig, Verb string
}

// Answer saves the session, or restores it.
func (o *Keep) Answer() error {
	if len(o.Args) != 1 || o.Args[0] == "" || strings.Contains(o.Args[0], "/") {
		return work.Usagef("name one checkpoint, with a word: sim %s before", o.Verb)
	}
	var told pace.Time
	q := serve.Question{Do: true, Path: o.Verb + "/" + url.PathEscape(o.Args[0])}
	if err := askSession(o.Ctx, o.Kubeconfig, q, &told); err != nil {
		return err
	}
	return tellTime(o.Console, &told)
}

// Why are the arguments of `sim why`: an object, KIND/NAME.
type Why struct {
	command.Call
	Kubeconfig, Namespace string
}

// Answer explains the state of the object.
func (o *Why) Answer() error {
	kind, name, found := strings.Cut(strings.Join(o.Args, " "), "/")
	if !found || kind == "" || name == "" || len(o.Args) != 1 {
		return work.Usagef("%s: write KIND/NAME, like pod/web-1", strings.Join(o.Args, " "))
	}
	var why reader.Why
	path, query := "why/"+url.PathEscape(kind)+"/"+url.PathEscape(name), url.Values{"namespace": {o.Namespace}}
	if err := askSession(o.Ctx, o.Kubeconfig, serve.Question{Path: path, Query: query}, &why); err != nil {
		return err
	}
	if o.Output == "json" {
		return json.NewEncoder(o.Out).Encode(&why)
	}
	for _, line := range why.Lines(clockOf) {
		fmt.Fprintln(o.Out, render.Visible(line))
	}
	return nil
}

// clockOf renders an instant that JSON has in seconds.
func clockOf(seconds float64) string {
	return render.Clock(time.Duration(math.Round(seconds * float64(time.Second))))
}

// askSession sends a request to the session of a kubeconfig, of KUBECONFIG if file is "".
func askSession(ctx context.Context, file string, q serve.Question, into any) error {
	if file == "" {
		file = os.Getenv("KUBECONFIG")
	}
	if file == "" {
		return work.Usagef("set KUBECONFIG to the file that sim serve has written, or name it with --kubeconfig")
	}
	config, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := serve.Ask(ctx, config, q, into); ctx.Err() != nil {
		return work.ErrInterrupted
	} else if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// tellTime prints the session's time.
func tellTime(s *command.Console, told *pace.Time) error {
	settled := ""
	if told.Settled {
		settled = ", settled"
	}
	_, err := fmt.Fprintf(s.Out, "%s: %s, at speed %s%s\n", clockOf(told.At), told.Time.Format(time.RFC3339), told.Speed,
		settled)
	return err
}
