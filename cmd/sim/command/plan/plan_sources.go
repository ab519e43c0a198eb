package plan

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario/change/plan"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Sources say where the two sides of a plan come from, if not from files.
type Sources struct {
	// Git is the revision that OLD is taken from; NEW is the same path in the working tree.
	Git string
	// Chart is a chart that helm renders, with the files of Values, for a release; Kustomize is a folder that kustomize
	// builds. At most one of the two is given.
	Chart, Release, Kustomize string
	Values                    []string
}

// UsualRelease is the name that helm template gives a release without one.
const UsualRelease = "release-name"

// Renders reports whether a program renders what is planned.
func (o *Sources) Renders() bool { return o.Chart != "" || o.Kustomize != "" }

// check is the error of flags that do not go together.
func (o *Sources) check(live bool, paths []string) error {
	switch {
	case o.Git != "" && live:
		return command.Usagef("--git and --live both say what OLD is: give one of them")
	case o.Git != "" && !command.IsRevision(o.Git):
		return command.Usagef("--git %s: this is no revision: give a branch, a tag or a commit, as --git main", shell.Quote(o.Git))
	case o.Git != "" && slices.Contains(paths, files.Stdin):
		return command.Usagef("--git plans files of the working tree: standard input has no earlier revision")
	case o.Chart != "" && o.Kustomize != "":
		return command.Usagef("--helm and -k both say what to render: give one of them")
	case o.Chart == "" && (len(o.Values) > 0 || o.Release != UsualRelease):
		return command.Usagef("-f and --release are for a chart: give --helm CHART too")
	}
	return nil
}

// words are the flags again.
func (o *Sources) words() []string {
	words := shell.Flags("--git", o.Git, "--helm", o.Chart, "--values", o.Values, "--kustomize", o.Kustomize)
	if o.Release != UsualRelease {
		words = append(words, "--release", o.Release)
	}
	return words
}

// both returns both sides of a plan that --git, --helm or -k describes.
func (o *Command) both() (before, after plan.Stream, err error) {
	if o.Sources.Renders() {
		if after, err = o.rendered(nil); err != nil {
			return before, after, err
		}
	} else if after, err = o.streamsOf(o.Args); err != nil {
		return before, after, err
	}
	if o.Sources.Git == "" {
		before, err = o.now()
		return before, after, err
	}
	before, err = o.earlier()
	return before, after, err
}

// streamsOf returns several paths as one stream.
func (o *Command) streamsOf(paths []string) (plan.Stream, error) {
	if len(paths) == 1 {
		return o.StreamOf(paths[0])
	}
	whole := plan.Stream{Namespace: o.Namespace}
	for _, path := range paths {
		part, err := o.StreamOf(path)
		if err != nil {
			return plan.Stream{}, err
		}
		whole.Files = append(whole.Files, filesOf(part)...)
	}
	return whole, nil
}

// filesOf returns the files of a stream, or the one that it is.
func filesOf(stream plan.Stream) []dump.Source {
	if stream.Files != nil {
		return stream.Files
	}
	return []dump.Source{{Name: stream.Name, Data: stream.Data}}
}

// earlier returns the planned manifests as they were at the revision.
func (o *Command) earlier() (plan.Stream, error) {
	paths := o.Args
	if o.Sources.Renders() {
		paths = slices.DeleteFunc([]string{o.Sources.Chart, o.Sources.Kustomize}, func(path string) bool { return path == "" })
	}
	r, err := o.At(o.Sources.Git, paths[0], o.World.Limits.FileSize)
	if err != nil {
		return plan.Stream{}, err
	}
	defer r.Remove()
	if o.Sources.Renders() {
		return o.rendered(r)
	}
	whole := plan.Stream{Name: r.Called(paths[0]), Namespace: o.Namespace}
	for _, path := range paths {
		there, err := r.InTree(path, false)
		if err != nil {
			return plan.Stream{}, err
		}
		if there == "" {
			o.isNew(r, path)
			continue
		}
		part, err := o.StreamOf(there)
		if err != nil {
			return plan.Stream{}, r.Renamed(err, there, path)
		}
		for _, file := range filesOf(part) {
			below, _ := filepath.Rel(there, file.Name)
			whole.Files = append(whole.Files, dump.Source{Name: r.Called(filepath.Join(path, below)), Data: file.Data})
		}
	}
	return whole, nil
}

// isNew reports that a path did not exist at the revision.
func (o *Command) isNew(r *command.Revision, path string) {
	fmt.Fprintf(o.Err, "%s is not there at %s: all of it is new\n", path, r.Name)
}

// rendered returns what helm or kustomize prints, now or, with r, at a revision.
func (o *Command) rendered(r *command.Revision) (plan.Stream, error) {
	p, arguments, err := o.renderer(r)
	if err != nil || p == nil {
		return plan.Stream{Namespace: o.Namespace}, err
	}
	data, err := o.Printed(p, arguments...)
	if err != nil {
		return plan.Stream{}, err
	}
	return plan.Stream{Name: p.Of, Data: data, Namespace: o.Namespace}, nil
}

// renderer returns the program that renders, and its arguments; nil if what it renders was not there at the revision.
func (o *Command) renderer(r *command.Revision) (*command.Program, []string, error) {
	p := &command.Program{Limit: o.World.Limits.FileSize, Longest: command.RenderPatience}
	path := o.Sources.Kustomize
	if o.Sources.Chart != "" {
		path = o.Sources.Chart
	}
	there, err := o.placed(r, path)
	if err != nil {
		return nil, nil, err
	}
	if there == "" {
		o.isNew(r, path)
		return nil, nil, nil
	}
	var arguments []string
	if o.Sources.Chart != "" {
		p.Name, arguments = "helm", []string{"template", o.Sources.Release, there}
		if o.Namespace != "" {
			arguments = append(arguments, "--namespace", o.Namespace)
		}
		for _, values := range o.Sources.Values {
			there, err := o.placed(r, values)
			switch {
			case err != nil:
				return nil, nil, err
			case there == "":
				o.isNew(r, values)
			default:
				arguments = append(arguments, "--values", there)
			}
		}
		p.Of = shell.Line("helm", "template", path)
	} else {
		p.Name, arguments = "kustomize", []string{"build", there}
		if !command.OnMachine(p.Name) {
			p.Name, arguments = "kubectl", []string{"kustomize", there}
		}
		p.Of = shell.Line(p.Name, arguments[0], path)
	}
	if r != nil {
		p.Of += " at " + r.Name
	}
	p.Missing = "install it, or render both sides yourself: sim plan OLD NEW"
	p.Late = fmt.Sprintf("%s has not ended within %s", p.Of, command.RenderPatience)
	return p, arguments, nil
}

// placed returns the place of a path at a revision, "" if it does not exist there. A path outside the working tree
// is not part of the repository, and stays: the name of a chart in a registry, for example.
func (o *Command) placed(r *command.Revision, path string) (string, error) {
	if r == nil {
		return path, nil
	}
	if _, err := os.Stat(path); err != nil {
		return path, nil
	}
	return r.InTree(path, true)
}
