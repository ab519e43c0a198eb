package kernel

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// known are the hashes of objects. An object never changes, since every change creates a new object, so its hash is
// computed once and looked up by the pointer until the object is replaced. That holds only if the store writes over
// no version (store.Keep).
type known struct {
	sets      map[*model.StatefulSet]uint64
	pods      map[*model.Pod]uint64
	claims    map[*model.Claim]uint64
	revisions map[*model.Revision]uint64
	templates map[*model.Template]uint64
	// used counts the objects of the print that is under way, or of the last one. It tells when to forget the hashes of
	// objects that were replaced.
	used int
}

// mostKnown is the number of hashes that are kept in addition to those that the last print used. Each keeps its object
// in memory.
const mostKnown = 1024

// tidy prepares for another print. It forgets all hashes once most of them belong to objects that are no longer
// printed, which costs O(1) an object on average.
func (k *known) tidy() {
	if k.sets == nil {
		*k = known{
			sets: map[*model.StatefulSet]uint64{}, pods: map[*model.Pod]uint64{}, claims: map[*model.Claim]uint64{},
			revisions: map[*model.Revision]uint64{}, templates: map[*model.Template]uint64{},
		}
	}
	if len(k.sets)+len(k.pods)+len(k.claims)+len(k.revisions)+len(k.templates) > 2*k.used+mostKnown {
		clear(k.sets)
		clear(k.pods)
		clear(k.claims)
		clear(k.revisions)
		clear(k.templates)
	}
	k.used = 0
}

// once prints the hash of an object. If it is not known yet, it is computed from what write prints, which must not
// depend on anything but the object: so uids and versions are printed beside it (identity).
func once[T any](p *Print, hashes map[*T]uint64, object *T, write func(*Print, *T)) {
	p.known.used++
	digest, known := hashes[object]
	if !known {
		from := len(p.text)
		write(p, object)
		sum := sha256.Sum256(p.text[from:])
		p.text = p.text[:from]
		digest = binary.LittleEndian.Uint64(sum[:])
		hashes[object] = digest
	}
	p.text = binary.LittleEndian.AppendUint64(p.text, digest)
}

// Pod prints a pod, which may be nil. It leaves out when the pod was created and deleted: what follows from that is
// in the queue. The time since when it has been Ready counts only if Ripens is true.
func (p *Print) Pod(pod *model.Pod) {
	if !p.Present(pod != nil) {
		return
	}
	once(p, p.known.pods, pod, (*Print).wholePod)
	p.identity(&pod.Meta)
	if p.Ripens && pod.Ready {
		p.Time(pod.ReadySince)
	}
}

// Set prints a StatefulSet, which may be nil.
func (p *Print) Set(set *model.StatefulSet) {
	if !p.Present(set != nil) {
		return
	}
	once(p, p.known.sets, set, (*Print).wholeSet)
	p.identity(&set.Meta)
}

// Claim prints a claim, which may be nil.
func (p *Print) Claim(claim *model.Claim) {
	if !p.Present(claim != nil) {
		return
	}
	once(p, p.known.claims, claim, (*Print).wholeClaim)
	p.identity(&claim.Meta)
}

// Revision prints a revision, which may be nil.
func (p *Print) Revision(revision *model.Revision) {
	if !p.Present(revision != nil) {
		return
	}
	once(p, p.known.revisions, revision, (*Print).wholeRevision)
	p.identity(&revision.Meta)
}

// Template prints what distinguishes a template from the others of its set: its number and its data. It may be nil.
func (p *Print) Template(template *model.Template) {
	if p.Present(template != nil) {
		once(p, p.known.templates, template, func(p *Print, t *model.Template) {
			p.Int(t.ID)
			p.Text(t.Data)
		})
	}
}

// identity prints the uids and the resource version of an object and its owners, of which it only matters where else
// they appear.
func (p *Print) identity(meta *model.Meta) {
	p.UID(meta.UID)
	p.Version(meta.ResourceVersion)
	for i := range meta.Owners {
		p.UID(meta.Owners[i].UID)
	}
}

// meta prints the metadata but for uids, versions and times.
func (p *Print) meta(meta *model.Meta) {
	p.Key(meta.Key())
	p.Int(int(meta.Generation))
	p.Labels(meta.Labels)
	p.Labels(meta.Annotations)
	p.Int(len(meta.Owners))
	for i := range meta.Owners {
		owner := &meta.Owners[i]
		p.Int(int(owner.Kind))
		p.Text(owner.Name)
		p.Bool(owner.Controller)
	}
	p.Texts(meta.Finalizers)
	if p.Present(meta.Deletion != nil) {
		p.Int(int(meta.Deletion.Grace))
	}
}

// Labels prints labels or annotations, in the order of their names.
func (p *Print) Labels(labels map[string]string) {
	p.Int(len(labels))
	if len(labels) == 0 {
		return
	}
	p.names = slices.AppendSeq(p.names[:0], maps.Keys(labels))
	slices.Sort(p.names)
	for _, name := range p.names {
		p.Text(name)
		p.Text(labels[name])
	}
}

// Texts prints a list of texts.
func (p *Print) Texts(texts []string) {
	p.Int(len(texts))
	for _, text := range texts {
		p.Text(text)
	}
}

// wholePod and the functions like it print every field of an object that may decide something. A test fails for a
// field that is forgotten.
func (p *Print) wholePod(pod *model.Pod) {
	p.meta(&pod.Meta)
	p.Template(pod.Template)
	p.Text(pod.Hostname)
	p.Text(pod.Subdomain)
	p.Int(len(pod.Volumes))
	for _, volume := range pod.Volumes {
		p.Text(volume.Name)
		p.Text(volume.Claim)
	}
	p.Text(pod.Node)
	p.Int(int(pod.Phase))
	p.Text(pod.Reason)
	p.Text(pod.Unscheduled)
	p.Bool(pod.Ready)
	if c := pod.Containers; p.Present(c != nil) {
		p.Text(c.Name)
		p.Text(c.Shown)
		p.Text(c.Message)
		p.Int(c.Restarts)
		p.Int(c.Ready)
		p.Int(c.All)
	}
}

// Present prints whether something exists, and returns that.
func (p *Print) Present(is bool) bool {
	p.Bool(is)
	return is
}

// wholeClaim prints a claim but for what identity prints.
func (p *Print) wholeClaim(claim *model.Claim) {
	p.meta(&claim.Meta)
	p.Text(claim.Data)
	p.Int(int(claim.Phase))
	p.facts(claim.Facts)
}

// facts prints what was read of a claim's spec; nil is another print than facts that are empty.
func (p *Print) facts(facts *model.ClaimFacts) {
	if p.Present(facts != nil) {
		p.Texts(facts.AccessModes)
		p.Text(facts.Storage)
		p.Text(facts.Volume)
		p.Text(facts.Shown)
		if p.Present(facts.Wrong != nil) {
			p.Texts(facts.Wrong.Meta)
			p.Texts(facts.Wrong.Selector)
			p.Texts(facts.Wrong.Rest)
		}
	}
}

// wholeRevision prints a revision, with the template by its number and its data.
func (p *Print) wholeRevision(revision *model.Revision) {
	p.meta(&revision.Meta)
	p.Int(int(revision.Number))
	p.Template(revision.Template)
	p.Int(int(revision.Form))
}

// wholeSet prints a set, spec and status. Since when a condition has been so is left out.
func (p *Print) wholeSet(set *model.StatefulSet) {
	p.meta(&set.Meta)
	p.spec(&set.Spec)
	status := &set.Status
	for _, n := range [...]int32{
		status.Replicas, status.Ready, status.Available, status.Current, status.Updated, status.CollisionCount,
	} {
		p.Int(int(n))
	}
	p.Int(int(status.ObservedGeneration))
	p.Text(status.CurrentRevision)
	p.Text(status.UpdateRevision)
	p.Int(len(status.Conditions))
	for i := range status.Conditions {
		c := &status.Conditions[i]
		p.Texts([]string{c.Type, c.Reason, c.Message})
		p.Bool(c.True)
	}
}

// spec prints a spec, with each part that may be missing after whether it is there.
func (p *Print) spec(spec *model.Spec) {
	for _, n := range [...]int32{spec.Replicas, spec.RevisionHistoryLimit, spec.MinReadySeconds} {
		p.Int(int(n))
	}
	p.Selector(&spec.Selector)
	p.Template(spec.Template)
	p.Int(len(spec.ClaimTemplates))
	for i := range spec.ClaimTemplates {
		template := &spec.ClaimTemplates[i]
		p.Text(template.Name)
		p.Labels(template.Labels)
		p.Labels(template.Annotations)
		p.Text(template.Data)
		p.facts(template.Facts)
	}
	p.Text(spec.ServiceName)
	p.Int(int(spec.PodManagement))
	p.Int(int(spec.Strategy.Type))
	if rolling := spec.Strategy.RollingUpdate; p.Present(rolling != nil) {
		p.Int(int(rolling.Partition))
		p.share(rolling.MaxUnavailable)
	}
	if p.Present(spec.Retention != nil) {
		p.Bool(spec.Retention.DeleteWithSet, spec.Retention.DeleteWhenScaled)
	}
	if p.Present(spec.Ordinals != nil) {
		p.Int(int(spec.Ordinals.Start))
	}
	if wrong := spec.Wrong; p.Present(wrong != nil) {
		for _, list := range [...][]string{
			wrong.Meta, wrong.Policy, wrong.Strategy, wrong.Retention, wrong.Selector, wrong.Labels, wrong.Rest,
			wrong.MetaBefore,
		} {
			p.Texts(list)
		}
	}
}

// share prints a number or a percentage, which may be missing.
func (p *Print) share(share *model.IntOrPercent) {
	if p.Present(share != nil) {
		p.Int(int(share.Value))
		p.Bool(share.Percent)
		p.Text(share.Text)
	}
}

// Selector prints a label selector.
func (p *Print) Selector(selector *model.Selector) {
	p.Text(selector.Data)
	p.Int(len(selector.Needs))
	for i := range selector.Needs {
		need := &selector.Needs[i]
		p.Text(need.Label)
		p.Int(int(need.Op))
		p.Texts(need.Values)
	}
}

// Budget prints a PodDisruptionBudget.
func (p *Print) Budget(budget *model.Budget) {
	p.Key(budget.Key())
	if p.Present(budget.Selects != nil) {
		p.Selector(budget.Selects)
	}
	p.share(budget.MinAvailable)
	p.share(budget.MaxUnavailable)
	p.Bool(budget.AlwaysAllow)
	p.Text(budget.Wrong)
}

// Service prints a Service.
func (p *Print) Service(service *model.Service) {
	p.meta(&service.Meta)
	p.Selector(&service.Selector)
	p.Bool(service.Headless, service.PublishNotReady)
	p.Text(service.ClusterIP)
	p.Texts(service.Ports)
}
