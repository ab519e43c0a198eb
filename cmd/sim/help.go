package main

import (
	plancmd "github.com/statefulsim/statefulsim/cmd/sim/command/plan"

	_ "embed"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/scenario/change/plan"
)

// helpTexts are the texts of help of each command.
//
//go:embed help.txt
var helpTexts string

// help has the texts and their lists.
var help = &cli.Help{Texts: helpTexts, Lists: map[string]func() string{
	"answers": func() string { return cli.Described(plancmd.Shown()) }, "cases": caseHelp, "formats": formatHelp,
	"limits": cli.LimitHelp, "promises": promiseHelp,
	"requirements": func() string { return plan.RequireHelp },
}}
