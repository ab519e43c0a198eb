package recording

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	yamlv3 "gopkg.in/yaml.v3"
	"sigs.k8s.io/yaml"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/workloads"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Source is a file that a session begins with.
type Source struct {
	Name string
	Data []byte
	// Dir is where a scenario finds its files.
	Dir fs.FS
}

// Beginning is the contents of a session's sources.
type Beginning struct {
	// Config has the world, the version, and the epoch of a dump.
	Config bridge.Config
	// Manifests are created after the session has started. Unplayed is the number of scenario steps that are not
	// played.
	Manifests []Manifest
	Unplayed  int
}

// The words that select the controllers of a session, as alternatives to a list.
const (
	AllControllers = "all"
	NoControllers  = "none"
)

// ControllerWords are all, none, and the controllers that a list can name: the controllers of kinds.
func ControllerWords() []string {
	words := []string{AllControllers, NoControllers, kinds.StatefulSet.Singular}
	for _, kind := range workloads.Kinds {
		words = append(words, kind.Singular)
	}
	return words
}

// SetControllers sets which controllers act in the session: all, none, or a list such as statefulset,deployment. A
// kind whose controller does not act is only stored; the rest of the cluster acts unless the word is none.
func (b *Beginning) SetControllers(text string) error {
	list, words := strings.Split(text, ","), ControllerWords()
	for _, word := range list {
		if !slices.Contains(words, word) || len(list) > 1 && slices.Contains(words[:2], word) {
			return fmt.Errorf("%q is not served as controllers: write all, none, or a list of %s", word,
				strings.Join(words[2:], ", "))
		}
	}
	if text != AllControllers && b.Unplayed > 0 && !slices.Contains(list, kinds.StatefulSet.Singular) {
		return fmt.Errorf("a scenario says how controllers act, and none does with --controllers %s: leave out the "+
			"scenario, or write --controllers all", text)
	}
	b.Config.Uncontrolled, b.Config.Idle = text == NoControllers, nil
	for _, kind := range append([]*kinds.Kind{kinds.StatefulSet}, workloads.Kinds...) {
		if text != AllControllers && !slices.Contains(list, kind.Singular) {
			b.Config.Idle = append(b.Config.Idle, kind)
		}
	}
	return nil
}

// Manifest is an object to be created, as JSON, and its place in the files.
type Manifest struct {
	Where string
	JSON  []byte
}

// nothing is a scenario whose cluster is the one that sim run has by default.
const nothing = "name: sim serve\nsteps: [{create: {name: unplayed, image: none}}]\n"

// Read reads the sources: one scenario, or the files of a dump, or manifests; without any the cluster is empty.
func Read(sources []Source, o scenario.Options, sim string) (*Beginning, error) {
	b := &Beginning{}
	if len(sources) == 1 && scenario.IsScenario(sources[0].Data) {
		s, err := scenario.Parse(sources[0].Name, sources[0].Data, sources[0].Dir, o)
		if err != nil {
			return nil, err
		}
		b.Unplayed = len(s.Steps)
		b.take(s, sim)
		return b, nil
	}
	live, err := b.objects(sources, o)
	if err != nil {
		return nil, err
	}
	var d *dump.Dump
	if live {
		if d, err = readDump(sources, &o); err != nil {
			return nil, err
		}
		for _, m := range b.Manifests {
			b.Config.Existing = append(b.Config.Existing, m.JSON)
		}
		b.Manifests = nil
	}
	s, err := scenario.Parse("sim serve", []byte(nothing), nil, o)
	if err != nil {
		return nil, err
	}
	b.take(s, sim)
	if d != nil {
		b.Config.World, b.Config.Epoch = d.Begin(b.Config.World), d.At
		return b, nil
	}
	// The nodes are those that clients see, so what keeps a pod off them counts.
	cluster := &b.Config.World.Cluster
	cluster.Nodes, cluster.Assumed = cluster.Specs(), false
	return b, nil
}

func readDump(sources []Source, o *scenario.Options) (*dump.Dump, error) {
	var files []dump.Source
	for _, source := range sources {
		files = append(files, dump.Source{Name: source.Name, Data: source.Data})
	}
	d, err := dump.Read(files, dump.Options{Limits: o.Limits})
	if err != nil {
		return nil, err
	}
	o.Kubernetes = cmp.Or(o.Kubernetes, d.Version())
	return d, nil
}

// take takes the cluster of a scenario.
func (b *Beginning) take(s *scenario.Scenario, sim string) {
	b.Config.World = s.Config(scenario.RunOptions{Sim: sim})
	b.Config.Kubernetes = s.Profile.FirstRelease()
	b.Config.Epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if s.Start != nil {
		b.Config.Epoch = s.Start.At
	}
}

// objects reads the objects of the sources as manifests, and reports whether they come from a live cluster.
func (b *Beginning) objects(sources []Source, o scenario.Options) (live bool, err error) {
	for _, source := range sources {
		docs, problems := strict.Parse(source.Name, source.Data, o.Limits)
		if len(problems) > 0 {
			return false, problems.Err()
		}
		live = live || slices.ContainsFunc(docs, manifest.IsLive)
		for _, doc := range docs {
			where := fmt.Sprintf("%s:%d:%d", source.Name, doc.Line, doc.Column)
			text, err := yamlv3.Marshal(doc)
			if err == nil {
				text, err = yaml.YAMLToJSON(text)
			}
			if err != nil {
				return false, fmt.Errorf("%s: %w", where, err)
			}
			b.Manifests = append(b.Manifests, Manifest{where, text})
		}
	}
	return live, nil
}
