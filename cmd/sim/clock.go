//go:build !js

package main

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// clockWords are what can be done to a clock, each with the query that takes its argument, "" for none.
var clockWords = [][2]string{{"advance", "by"}, {"step", ""}, {"settle", ""}, {"speed", "to"}, {"pause", ""}}

func newClockCmd(s *streams) *cobra.Command {
	file := ""
	cmd := &cobra.Command{
		Use:    "clock [advance DURATION | step | settle | speed SPEED | pause]",
		Short:  "Say how late it is in a session of sim serve, or move its clock",
		Hidden: true,
		Long: `Say how late it is in a session of sim serve, or move its clock.

  advance  lets so much virtual time pass at once
  step     goes to the next instant at which something happens
  settle   goes on until nothing is left that could change something
  speed    lets time pass at 1x, 60x, max or paused
  pause    stops the clock`,
		Example: `  sim clock advance 10m
  sim clock speed 60x`,
		GroupID: groupPlay,
		RunE:    action(func(_ *cobra.Command, args []string) error { return moveClock(s, file, args) }),
	}
	cmd.Flags().StringVar(&file, "kubeconfig", "", "the `FILE` that sim serve has written (default: that of KUBECONFIG)")
	return cmd
}

// moveClock moves the clock of the session, and says how late it is.
func moveClock(s *streams, file string, args []string) error {
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
	told, err := serve.MoveClock(config, do, query)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	settled := ""
	if told.Settled {
		settled = ", settled"
	}
	_, err = fmt.Fprintf(s.out, "%s: %s, at speed %s%s\n", render.Clock(time.Duration(told.At*float64(time.Second))),
		told.Time.Format(time.RFC3339), told.Speed, settled)
	return err
}
