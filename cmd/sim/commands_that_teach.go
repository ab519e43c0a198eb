package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/command/atlas"
	"github.com/statefulsim/statefulsim/cmd/sim/command/learn"
	"github.com/statefulsim/statefulsim/cmd/sim/command/versions"
	"github.com/statefulsim/statefulsim/cmd/sim/course"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

func newLearnCmd(s *command.Console) *cobra.Command {
	o := &learn.Command{Call: command.Call{Console: s}}
	cmd := &cobra.Command{
		Use:               "learn [LESSON|all]",
		Short:             "Learn StatefulSets in lessons, step by step",
		GroupID:           groupPlay,
		Args:              atMostOne("lesson"),
		ValidArgsFunction: completeLesson,
	}
	flags := cmd.Flags()
	cmd.RunE = cli.WithArgs(&o.Call, func() error {
		o.Named = flags.Changed("lesson")
		return o.Answer()
	})
	flags.IntVar(&o.Lesson, "lesson", 0, "the same as the argument LESSON: `N`")
	flags.BoolVar(&o.NoPause, "no-pause", false, "print the lesson as a whole")
	flags.BoolVar(&o.Source, "scenario", false, "print the lesson's scenario, to change and play it")
	flags.BoolVar(&o.Report, "report", false, "print the lesson's run as an HTML page")
	flags.StringVar(&o.Dir, "dir", "course", "the `DIR` into which sim learn all --report writes the pages")
	work.Must(cmd.RegisterFlagCompletionFunc("lesson", completeLesson))
	return cmd
}

// completeLesson returns the numbers of the lessons, for the shell to complete.
func completeLesson(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var numbers []string
	for i := range course.Lessons() {
		numbers = append(numbers, strconv.Itoa(i+1))
	}
	return numbers, cobra.ShellCompDirectiveNoFileComp
}

func newVersionsCmd(s *command.Console) *cobra.Command {
	o := &versions.Command{Call: command.Call{Console: s}}
	cmd := &cobra.Command{
		Use:               "versions [FROM TO]",
		Short:             "Show how Kubernetes versions differ",
		GroupID:           cli.GroupOther,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: cli.VersionsOf(s),
		RunE:              cli.WithArgs(&o.Call, o.Answer),
	}
	cli.AddOutput(cmd, &o.Output, versions.PlainFormats)
	return cmd
}

func newAtlasCmd(s *command.Console) *cobra.Command {
	o := &atlas.Command{Call: command.Call{Console: s}}
	cmd := &cobra.Command{
		Use:               "atlas [NAME]",
		Short:             "List the known traps of StatefulSets",
		GroupID:           cli.GroupOther,
		Args:              atMostOne("trap"),
		ValidArgsFunction: cobra.FixedCompletions(atlas.TrapNames(), cobra.ShellCompDirectiveNoFileComp),
		RunE:              cli.WithArgs(&o.Call, o.Answer),
	}
	cli.AddOutput(cmd, &o.Output, versions.PlainFormats)
	cmd.Flags().StringVar(&o.World.Kubernetes, "kubernetes", "",
		"list only the traps of this Kubernetes `VERSION`, 1.36 or 1.35.2")
	cli.CompleteVersions(cmd, "kubernetes", s)
	return cmd
}
