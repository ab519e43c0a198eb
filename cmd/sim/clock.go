//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// clockWords are what can be done to a clock, each with the query that takes its argument, "" for none.
var clockWords = [][2]string{{"advance", "by"}, {"step", ""}, {"settle", ""}, {"speed", "to"}, {"pause", ""}}

func newClockCmd(s *answer.Console) *cobra.Command {
	file := ""
	cmd := &cobra.Command{
		Use:     "clock [advance DURATION | step | settle | speed SPEED | pause]",
		Short:   "Say how late it is in a session of sim serve, or move its clock",
		GroupID: groupServe,
		RunE:    action(func(_ *cobra.Command, args []string) error { return moveClock(s, file, args) }),
	}
	addKubeconfig(cmd, &file)
	return cmd
}

func addKubeconfig(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "kubeconfig", "", "the `FILE` that sim serve has written (default: that of KUBECONFIG)")
}

// newCheckpointCmd and newRestoreCmd keep a session, and go back to what was kept.
func newCheckpointCmd(s *answer.Console) *cobra.Command {
	return newKeepCmd(s, &cobra.Command{
		Use:   "checkpoint NAME",
		Short: "Keep a session of sim serve as it is, to go back to it",
	})
}

func newRestoreCmd(s *answer.Console) *cobra.Command {
	return newKeepCmd(s, &cobra.Command{
		Use:   "restore NAME",
		Short: "Go back to a checkpoint of a session of sim serve",
	})
}

// newKeepCmd completes a command whose first word is the path of the request.
func newKeepCmd(s *answer.Console, cmd *cobra.Command) *cobra.Command {
	file := ""
	cmd.GroupID = groupServe
	cmd.RunE = action(func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 || args[0] == "" || strings.Contains(args[0], "/") {
			return usagef("name one checkpoint, with a word: sim %s before", cmd.Name())
		}
		var told serve.Time
		if err := askSession(file, true, cmd.Name()+"/"+url.PathEscape(args[0]), nil, &told); err != nil {
			return err
		}
		return tellTime(s, &told)
	})
	addKubeconfig(cmd, &file)
	return cmd
}

func newWhyCmd(s *answer.Console) *cobra.Command {
	file, namespace, output := "", "default", ""
	cmd := &cobra.Command{
		Use:     "why KIND/NAME",
		Short:   "Say why an object in a session of sim serve is as it is",
		GroupID: groupServe,
	}
	cmd.RunE = action(func(_ *cobra.Command, args []string) error {
		kind, name, found := strings.Cut(strings.Join(args, " "), "/")
		if !found || kind == "" || name == "" || len(args) != 1 {
			return usagef("%s: write KIND/NAME, like pod/web-1", strings.Join(args, " "))
		}
		var why serve.Why
		path := "why/" + url.PathEscape(kind) + "/" + url.PathEscape(name)
		if err := askSession(file, false, path, url.Values{"namespace": {namespace}}, &why); err != nil {
			return err
		}
		if output == "json" {
			return json.NewEncoder(s.Out).Encode(&why)
		}
		for _, line := range why.Lines(clockOf) {
			fmt.Fprintln(s.Out, render.Visible(line))
		}
		return nil
	})
	addKubeconfig(cmd, &file)
	cmd.Flags().StringVarP(&namespace, "namespace", "n", namespace, "the namespace of the object")
	addOutput(cmd, &output, []string{"text", "json"})
	return cmd
}

// clockOf renders an instant that JSON has in seconds.
func clockOf(seconds float64) string {
	return render.Clock(time.Duration(math.Round(seconds * float64(time.Second))))
}

// askSession sends a request to the session of a kubeconfig, of KUBECONFIG if file is "".
func askSession(file string, do bool, path string, query url.Values, into any) error {
	if file == "" {
		file = os.Getenv("KUBECONFIG")
	}
	if file == "" {
		return usagef("set KUBECONFIG to the file that sim serve has written, or name it with --kubeconfig")
	}
	config, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := serve.Ask(config, do, path, query, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// moveClock moves the clock of the session, and says how late it is.
func moveClock(s *answer.Console, file string, args []string) error {
	do, query := "", url.Values{}
	if len(args) > 0 {
		at := slices.IndexFunc(clockWords, func(w [2]string) bool { return w[0] == args[0] })
		if at < 0 || len(args) != 1+min(1, len(clockWords[at][1])) {
			return usagef("%s: write advance DURATION, step, settle, speed SPEED or pause", strings.Join(args, " "))
		}
		if do = args[0]; len(args) > 1 {
			query.Set(clockWords[at][1], args[1])
		}
	}
	path := "clock"
	if do != "" {
		path += "/" + do
	}
	var told serve.Time
	if err := askSession(file, do != "", path, query, &told); err != nil {
		return err
	}
	return tellTime(s, &told)
}

// tellTime says how late it is.
func tellTime(s *answer.Console, told *serve.Time) error {
	settled := ""
	if told.Settled {
		settled = ", settled"
	}
	_, err := fmt.Fprintf(s.Out, "%s: %s, at speed %s%s\n", clockOf(told.At), told.Time.Format(time.RFC3339), told.Speed,
		settled)
	return err
}
