package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/runs/verdict"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/report/html"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// compareFormats are the formats of `sim compare`.
var compareFormats = []string{"text", "markdown", "html", "json"}

// asItIs is the name of the run of a scenario that stands beside its variants.
const asItIs = "as it is"

// compareOptions are the arguments of `sim compare`.
type compareOptions struct {
	*streams
	engine *engine
	color  *colorChoice
	output string
	world  worldOptions
	// with are the values of --with, a variant each. files are the arguments; several are compared with each other.
	with  []string
	files []string
	// workers is how many are played at once.
	workers int
}

// variant is one of the runs that are compared: a file under a name, in a world. Runs that differ only in the world
// share in. Names need not differ: a file may be given twice.
type variant struct {
	name  string
	in    source
	world *worldOptions
}

func newCompareCmd(s *streams, e *engine, color *colorChoice) *cobra.Command {
	o := &compareOptions{streams: s, engine: e, color: color}
	cmd := &cobra.Command{
		Use:               "compare FILE...",
		Short:             "Play scenarios, or variants of one, side by side",
		GroupID:           groupPlay,
		Args:              atLeastOne("FILE"),
		ValidArgsFunction: yamlFiles,
		RunE:              onFiles(&o.files, o.compare),
	}
	addOutput(cmd, &o.output, compareFormats)
	cmd.Flags().StringArrayVar(&o.with, "with", nil, "also play the scenario with these fields of its StatefulSets set: "+
		"`FIELD=VALUE,...`; may be repeated")
	addJobs(cmd, &o.workers)
	addWorldFlags(cmd, &o.world, e)
	return cmd
}

// compare plays all, several at once, and reports in their order. A run that fails its expectations is no error here;
// an interruption is, after what is known has been printed. Of an interrupted comparison only the runs before the first
// that was interrupted, and that one, are printed.
func (o *compareOptions) compare() error {
	if err := o.world.check(); err != nil {
		return err
	}
	if err := checkJobs(o.workers); err != nil {
		return err
	}
	variants, err := o.variants()
	if err != nil {
		return err
	}
	scenes, err := loadAll(len(variants), func(i int) (scene, error) {
		return o.engine.load(variants[i].in, variants[i].world)
	})
	if err != nil {
		return err
	}
	c := &report.Comparison{Name: o.title(scenes)}
	told := map[string]bool{}
	bar := newProgress(o.streams, "playing")
	play := func(i int) *played { return o.play(variants[i], scenes[i]) }
	end := work.InOrder(len(variants), o.workers, play, func(p *played) error {
		c.Versions = append(c.Versions, report.VersionRun{Version: p.Name, Run: &p.Run, OK: p.OK})
		for _, name := range p.Ignored {
			if line := fmt.Sprintf("%s: %s has no effect and is ignored\n", p.File, name); !told[line] {
				told[line] = true
				bar.Clear()
				fmt.Fprint(o.err, line)
			}
		}
		bar.Count(len(c.Versions), len(variants))
		if p.Interrupted {
			return errInterrupted
		}
		return nil
	})
	bar.Clear()
	if end != nil && !errors.Is(end, errInterrupted) {
		return end
	}
	verdict.Part(c, scenes, o.engine.causes, func() bool { return len(o.world.several) == 0 || o.interrupted() })
	if err := o.print(c); err != nil {
		return err
	}
	return end
}

// variants returns the runs that were asked for, which differ in exactly one thing: the file, the settings or the
// version. The first is the one that the others are compared with.
func (o *compareOptions) variants() ([]variant, error) {
	ways := 0
	for _, asked := range []bool{len(o.files) > 1, len(o.with) > 0, len(o.world.several) > 0} {
		if asked {
			ways++
		}
	}
	if ways != 1 {
		return nil, usagef("compare several files, or one file with --with, or one on several versions " +
			"(--kubernetes A,B)")
	}
	sources, err := o.from().OpenAll(o.files, o.world.limits.FileSize)
	if err != nil {
		return nil, err
	}
	var variants []variant
	for _, in := range sources {
		variants = append(variants, variant{name: in.Path, in: in, world: &o.world})
	}
	switch {
	case len(o.with) > 0:
		return o.withVariants(variants[0].in)
	case len(o.world.several) > 0:
		in := variants[0].in
		variants = nil
		for _, version := range o.world.several {
			variants = append(variants, variant{name: version, in: in, world: o.world.under(version)})
		}
	}
	return variants, nil
}

// withVariants returns a file as it is, and with each of the settings. Two whose short names are equal get their full
// ones.
func (o *compareOptions) withVariants(in source) ([]variant, error) {
	variants := []variant{{name: asItIs, in: in, world: &o.world}}
	for _, text := range o.with {
		settings, err := scenario.ParseSettings(text)
		if err != nil {
			return nil, usagef("--with: %v", err)
		}
		world := o.world
		world.with = settings
		variants = append(variants, variant{name: settingsName(settings), in: in, world: &world})
	}
	short := map[string]bool{}
	for i, v := range variants[1:] {
		if short[v.name] {
			variants[i+1].name = o.with[i]
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
func (o *compareOptions) title(scenes []scene) string {
	if len(o.files) > 1 {
		return fmt.Sprintf("%d scenarios side by side", len(scenes))
	}
	return scenes[0].Name()
}

// play plays one variant. It is called by several goroutines, so it writes nothing.
func (o *compareOptions) play(v variant, of scene) *played {
	p := of.Play(o.ends(v.world.limits.Memory, o.interrupted))
	p.File, p.Name = v.in.Path, v.name
	p.LeadOut(of, o.engine.cures, v.world.asked(), o.interrupted)
	if o.output == "html" {
		carry(p, v.in, o.world.limits.FileSize)
		world := v.world
		if len(o.world.several) > 0 {
			world = &o.world
		}
		p.Playground = o.runInPlayground(v.in, world)
		p.Command = o.world.command("compare", o.words())
	}
	return p
}

// words returns the arguments that repeat what is compared. Those of the world, which it leaves out, are
// worldOptions.command's.
func (o *compareOptions) words() []string { return append(flagWords("--with", o.with), o.files...) }

// print writes the comparison in the format that was asked for.
func (o *compareOptions) print(c *report.Comparison) error {
	switch o.output {
	case "markdown":
		return report.VariantsMarkdown(o.out, c)
	case "json":
		return report.VariantsJSON(o.out, c)
	case "html":
		return html.Compare(o.out, c)
	}
	return report.VariantsText(o.out, c, o.style(*o.color))
}
