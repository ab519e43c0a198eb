// Package compare is the command sim compare: it plays scenarios, or variants of one, and puts them side by side.
package compare

import (
	"errors"
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/play/verdict"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/report/html"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// CompareFormats are the formats of `sim compare`.
var CompareFormats = []string{"text", "markdown", "html", "json"}

// asItIs is the name of the run of the unchanged scenario among its variants.
const asItIs = "as it is"

// Command holds the arguments of `sim compare`.
type Command struct {
	// Several files are compared with each other.
	command.Call
	// With are the values of --with, a variant each.
	With []string
}

// variant is one of the compared runs: a file under a name, in a world. Runs that differ only in the world share
// in. Names need not differ: a file may be given twice.
type variant struct {
	name  string
	in    command.Source
	world *command.World
}

// Answer plays all, several at once, and reports in their order. A run that fails its expectations is not an error
// here; an interruption is, after the known results have been printed. An interrupted comparison prints only the
// runs up to and including the first interrupted one.
func (o *Command) Answer() error {
	if err := o.CheckWorkers(); err != nil {
		return err
	}
	variants, err := o.variants()
	if err != nil {
		return err
	}
	scenes, err := command.LoadAll(len(variants), func(i int) (command.Scene, error) {
		return o.Engine.Load(variants[i].in, variants[i].world)
	})
	if err != nil {
		return err
	}
	c := &report.Comparison{Name: o.title(scenes)}
	told := map[string]bool{}
	bar := o.Progress("playing")
	play := func(i int) *command.Played { return o.play(variants[i], scenes[i]) }
	end := work.InOrder(len(variants), o.Workers, play, func(p *command.Played) error {
		c.Versions = append(c.Versions, report.VersionRun{Version: p.Name, Run: &p.Run, OK: p.OK})
		for _, name := range p.Ignored {
			if line := fmt.Sprintf("%s: %s has no effect and is ignored\n", p.File, name); !told[line] {
				told[line] = true
				bar.Clear()
				fmt.Fprint(o.Err, line)
			}
		}
		bar.Count(len(c.Versions), len(variants))
		if p.Interrupted {
			return command.ErrInterrupted
		}
		return nil
	})
	bar.Clear()
	if end != nil && !errors.Is(end, command.ErrInterrupted) {
		return end
	}
	verdict.Part(c, scenes, o.Engine.Causes, func() bool { return len(o.World.Several) == 0 || o.Interrupted() })
	if err := o.print(c); err != nil {
		return err
	}
	return end
}

// variants returns the runs that were asked for, which differ in exactly one thing: the file, the settings or the
// version. The first is the one that the others are compared with.
func (o *Command) variants() ([]variant, error) {
	ways := 0
	for _, asked := range []bool{len(o.Args) > 1, len(o.With) > 0, len(o.World.Several) > 0} {
		if asked {
			ways++
		}
	}
	if ways != 1 {
		return nil, command.Usagef("compare several files, or one file with --with, or one on several versions " +
			"(--kubernetes A,B)")
	}
	sources, err := o.From().OpenAll(o.Args, o.World.Limits.FileSize)
	if err != nil {
		return nil, err
	}
	var variants []variant
	for _, in := range sources {
		variants = append(variants, variant{name: in.Path, in: in, world: &o.World})
	}
	switch {
	case len(o.With) > 0:
		return o.withVariants(variants[0].in)
	case len(o.World.Several) > 0:
		in := variants[0].in
		variants = nil
		for _, version := range o.World.Several {
			variants = append(variants, variant{name: version, in: in, world: o.World.Under(version)})
		}
	}
	return variants, nil
}

// withVariants returns a file as it is, and with each of the settings. Two whose short names are equal get their full
// ones.
func (o *Command) withVariants(in command.Source) ([]variant, error) {
	variants := []variant{{name: asItIs, in: in, world: &o.World}}
	for _, text := range o.With {
		settings, err := scenario.ParseSettings(text)
		if err != nil {
			return nil, command.Usagef("--with: %v", err)
		}
		world := o.World
		world.With = settings
		variants = append(variants, variant{name: settingsName(settings), in: in, world: &world})
	}
	short := map[string]bool{}
	for i, v := range variants[1:] {
		if short[v.name] {
			variants[i+1].name = o.With[i]
		}
		short[v.name] = true
	}
	return variants, nil
}

// settingsName names a variant by the last parts of its fields, since the paths before them are long:
// maxUnavailable=2.
func settingsName(settings []scenario.Setting) string {
	var words []string
	for _, s := range settings {
		words = append(words, s.Field[strings.LastIndexByte(s.Field, '.')+1:]+"="+s.Value)
	}
	return strings.Join(words, ",")
}

// title names the comparison: by the scenario, if there is only one.
func (o *Command) title(scenes []command.Scene) string {
	if len(o.Args) > 1 {
		return fmt.Sprintf("%d scenarios side by side", len(scenes))
	}
	return scenes[0].Name()
}

// play plays one variant. It is called by several goroutines, so it writes nothing.
func (o *Command) play(v variant, of command.Scene) *command.Played {
	p := of.Play(o.Ends(v.world.Limits.Memory, o.Interrupted))
	p.File, p.Name = v.in.Path, v.name
	p.LeadOut(of, o.Engine.Cures, v.world.Given(), o.Interrupted)
	if o.Output == "html" {
		command.Carry(p, v.in, o.World.Limits.FileSize)
		world := v.world
		if len(o.World.Several) > 0 {
			world = &o.World
		}
		p.Playground = o.RunInPlayground(v.in, world)
		p.Command = o.World.Command("compare", o.words())
	}
	return p
}

// words returns the arguments that repeat what is compared. Those of the world, which it leaves out, are
// World.command's.
func (o *Command) words() []string { return append(shell.Flags("--with", o.With), o.Args...) }

// print writes the comparison in the format that was asked for.
func (o *Command) print(c *report.Comparison) error {
	switch o.Output {
	case "markdown":
		return report.VariantsMarkdown(o.Out, c)
	case "json":
		return report.VariantsJSON(o.Out, c)
	case "html":
		return html.Compare(o.Out, c)
	}
	return report.VariantsText(o.Out, c, o.Style())
}
