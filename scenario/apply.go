package scenario

import (
	"errors"
	"path"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
)

// manifests reads the value of a step that takes real manifests: a path of a file or of a folder, the text of
// manifests, an object, or a list of all these. It returns nil if there is a problem. Then the census is lost,
// because it is unknown which sets the step would have created.
func (s *step) manifests(verb string, do operation) *action {
	before := len(s.r.Problems) + len(s.others)
	var sets []*manifest.Set
	s.budgets, s.claims = nil, nil
	items := []*yaml.Node{s.value}
	if s.value.Kind == yaml.SequenceNode {
		items = s.value.Content
		if len(items) == 0 {
			s.r.Problem(s.value, verb+" names no manifest", "write the path of one, or the manifest itself")
		}
	}
	for _, item := range items {
		sets = append(sets, s.manifest(verb, item)...)
	}
	if len(s.r.Problems)+len(s.others) > before {
		s.census.lost = true
		return nil
	}
	return s.setsAction(sets, do)
}

// manifest reads one item of such a step and returns its StatefulSets; the other objects are kept on the step. A text
// with a line break is manifests; any other text is a path.
func (s *step) manifest(verb string, n *yaml.Node) []*manifest.Set {
	if n.Kind == yaml.MappingNode {
		if object := s.r.Map(n, verb); object.Has("as") && !isManifest(n) {
			s.r.Problem(object.Key("as"), `"as" is not yet supported`, "the name is reserved; leave it out")
			return nil
		}
		return s.keep(s.r, manifest.Read(s.r, []*yaml.Node{n}))
	}
	text, ok := s.r.String(n, verb)
	switch {
	case !ok:
		return nil
	case text == "":
		s.r.Problem(n, verb+" names no file", "write the path of a manifest, or the manifest itself")
		return nil
	case strings.Contains(text, "\n"):
		return s.inline(n, text)
	}
	if s.dir != nil && isFolder(s.dir, clean(text)) {
		return s.fromFolder(n, clean(text), 0)
	}
	return s.fromFile(n, text)
}

// inline reads manifests that are in the scenario as a block of text.
func (s *step) inline(n *yaml.Node, text string) []*manifest.Set {
	docs := strict.ParseBlock(s.r, n, text)
	s.expanded[n] = docs
	return s.keep(s.r, manifest.Read(s.r, docs))
}

// fromFile reads the manifests of a file. Their problems and warnings have the name of that file, and its bytes are in
// the scenario's digest. n is the place in the scenario where the file is named, for a file that cannot be read.
func (s *step) fromFile(n *yaml.Node, name string) []*manifest.Set {
	if s.dir == nil {
		s.r.Problem(n, "the manifest "+name+" cannot be read",
			"a scenario that is not a file has no folder to look in: write the manifest inline")
		return nil
	}
	data, err := readFile(s.dir, clean(name), s.r.Limits)
	if err != nil {
		want := unread(err)
		if path.Ext(name) == "" {
			want += "; a set without a manifest is {name: " + name + ", replicas: 3}"
		}
		s.r.Problem(n, "the manifest "+name+" cannot be read", want)
		return nil
	}
	s.digest.Write(data)
	file := s.beside(name)
	stream := strict.ParseStream(file, data, s.r.Limits)
	r := stream.Reader(file, s.r.Limits)
	sets := s.keep(r, manifest.Read(r, stream.Docs))
	if len(stream.Docs) == 0 && len(r.Problems) == 0 {
		r.Problems = append(r.Problems, strict.Problem{File: file, Line: 1, Column: 1, What: "the manifest is empty"})
	}
	s.others = append(s.others, r.Problems...)
	s.warnings = append(s.warnings, r.Warnings...)
	s.expanded[n] = append(s.expanded[n], stream.Docs...)
	return sets
}

// unread says why a manifest cannot be read, and what the reader can do.
func unread(err error) string {
	if errors.Is(err, errOutside) {
		return why(err)
	}
	return why(err) + "; paths are relative to the scenario's folder"
}

// beside returns the path of a file that a scenario names, for messages: relative to the working directory, as
// editors and terminals open it.
func (s *step) beside(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(filepath.Dir(s.r.File), name)
}

// clean makes a path one that every fs.FS takes, if it can. An absolute path stays one: only a Folder opens it.
func clean(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return path.Clean(filepath.ToSlash(name))
}

// keep sorts the objects of a file of manifests. Sets are returned; budgets, claims and Services are kept on the
// step, which puts them into the cluster; objects without influence on StatefulSets are noted in Scenario.Ignored.
// All objects but sets are in Scenario.Others too. A step that expects to be refused may have a budget that is not
// valid.
func (s *step) keep(r *strict.Reader, file *manifest.File) []*manifest.Set {
	for _, other := range file.Others {
		if other.IsBudget() {
			if budget := other.Budget(r); budget != nil {
				if !s.refused {
					other.CheckBudget(r)
				}
				s.budgets = append(s.budgets, budget)
			}
			continue
		}
		if other.IsClaim() {
			s.keepClaim(other.Claim(r))
			continue
		}
		if other.IsClass() {
			s.census.classes = s.census.classes.With(other.Class())
			continue
		}
		name := other.String()
		if other.Simulated || s.ignores[name] {
			continue
		}
		s.ignores[name] = true
		if note := other.Unmodelled(); note != "" {
			s.warnings = append(s.warnings, strict.Problem{
				File: r.File, Line: other.Node.Line, Column: other.Node.Column, What: note,
			})
			continue
		}
		s.scenario.Ignored = append(s.scenario.Ignored, name)
	}
	s.services = append(s.services, file.Services...)
	s.scenario.Others = append(s.scenario.Others, file.Others...)
	return file.Sets
}

// patch reads a kubectl patch of a set, a pod or a claim: a merge patch or, for a set, a strategic one. The patch
// itself is checked here; the API server checks its result in the run. A patch that may change containers makes
// their names uncertain.
func (s *step) patch() *action {
	switch m := (&strict.Reader{}).Map(s.value, ""); patched(m) {
	case "pod":
		return s.patchPod()
	case "pvc", "claim":
		return s.patchClaim(patched(m))
	default:
		if m.Has("subresource") || m.Has("status") {
			return s.patchStatus()
		}
	}
	return s.patchSet()
}

// patchSet reads a patch of a set.
func (s *step) patchSet() *action {
	m := s.r.Map(s.value, "patch", "statefulset", "type", "spec", "metadata", "pod", "pvc", "claim", "subresource", "status")
	key, ok := s.set(m)
	if m == nil {
		return nil
	}
	strategic := m.OneOf("type", "merge", "strategic") == "strategic"
	if !m.Has("spec") && !m.Has("metadata") {
		s.r.Problem(m.Node, "the patch changes nothing", "give it spec or metadata")
		return nil
	}
	patch := manifest.ReadPatch(s.r, s.value, strategic)
	if patch == nil || !ok {
		return nil
	}
	patch.CheckLimits(s.r)
	if !s.refused {
		patch.Check(s.r)
	}
	if k := s.census.byKey[key]; k != nil && patch.ChangesTemplate() {
		k.uncertain = true
	}
	does := "patch " + key.Name + patch.Summary()
	return setAction(key, does, func(_ *sim.User, live *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
		return patch.Apply(live)
	})
}
