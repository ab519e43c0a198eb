package kernel

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"reflect"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// known are the hashes of objects, by their pointers. An object never changes, since every change creates a new object,
// so its hash is computed once and looked up until the object is replaced. That holds only if the store writes over no
// version (store.Keep).
type known struct {
	hashes map[any]uint64
	// fields are the numbers of the fields of structs that whole prints.
	fields map[reflect.Type][]int
	// used counts the objects of the print that is under way, or of the last one. It tells when to forget the hashes of
	// objects that were replaced.
	used int
}

// mostKnown is the number of hashes that are kept in addition to those that the last print used. Each keeps its object.
const mostKnown = 1024

// tidy prepares for another print. It forgets all hashes once most of them belong to objects that are no longer
// printed, which costs O(1) per object on average.
func (k *known) tidy() {
	if k.hashes == nil {
		k.hashes, k.fields = map[any]uint64{}, map[reflect.Type][]int{}
	}
	if len(k.hashes) > 2*k.used+mostKnown {
		clear(k.hashes)
	}
	k.used = 0
}

// once prints the hash of an object, which must not be nil. If it is not known yet, it is computed from what write
// prints, which must depend only on the object: so uids and versions are printed separately (identity).
func (p *Print) once(object any, write func(reflect.Value)) {
	p.known.used++
	digest, known := p.known.hashes[object]
	if !known {
		from := len(p.text)
		write(reflect.ValueOf(object).Elem())
		sum := sha256.Sum256(p.text[from:])
		p.text = p.text[:from]
		digest = binary.LittleEndian.Uint64(sum[:])
		p.known.hashes[object] = digest
	}
	p.text = binary.LittleEndian.AppendUint64(p.text, digest)
}

// Forget forgets the hash of an object, whose memory another object is to have.
func (s *Spare) Forget(object any) { delete(s.print.known.hashes, object) }

// Pod prints a pod, which may be nil. It leaves out when the pod was created and deleted: what follows from that is
// in the queue. The time since when it has been Ready counts only if Ripens is true.
func (p *Print) Pod(pod *model.Pod) {
	if p.Present(pod != nil) {
		p.once(pod, p.whole)
		p.identity(&pod.Meta)
		if p.Ripens && pod.Ready {
			p.Time(pod.ReadySince)
		}
	}
}

// Set prints a StatefulSet, which may be nil.
func (p *Print) Set(set *model.StatefulSet) {
	if p.Present(set != nil) {
		p.once(set, p.whole)
		p.identity(&set.Meta)
	}
}

// Claim prints a claim, which may be nil.
func (p *Print) Claim(claim *model.Claim) {
	if p.Present(claim != nil) {
		p.once(claim, p.whole)
		p.identity(&claim.Meta)
	}
}

// Revision prints a revision, which may be nil.
func (p *Print) Revision(revision *model.Revision) {
	if p.Present(revision != nil) {
		p.once(revision, p.whole)
		p.identity(&revision.Meta)
	}
}

// Template prints what distinguishes a template from the others of its set: its number and its data. It may be nil.
func (p *Print) Template(template *model.Template) {
	if p.Present(template != nil) {
		p.once(template, func(reflect.Value) {
			p.Int(template.ID)
			p.Text(template.Data)
		})
	}
}

// identity prints the uids and the resource version of an object and its owners; only their equality matters.
func (p *Print) identity(meta *model.Meta) {
	p.UID(meta.UID)
	p.Version(meta.ResourceVersion)
	for i := range meta.Owners {
		p.UID(meta.Owners[i].UID)
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

// Present prints whether something exists, and returns that.
func (p *Print) Present(is bool) bool {
	p.Bool(is)
	return is
}

// Budget prints a PodDisruptionBudget.
func (p *Print) Budget(budget *model.Budget) { p.whole(reflect.ValueOf(budget)) }

// Service prints a Service.
func (p *Print) Service(service *model.Service) { p.whole(reflect.ValueOf(service)) }

// Why prints a reason. All its fields count, because two waits are the same only if their reasons are.
func (p *Print) Why(why *model.Why) {
	p.Text(string(why.Code))
	p.Text(why.Object)
	p.Text(string(why.Rule))
	p.Int(int(why.Have))
	p.Int(int(why.Want))
	p.Bool(why.Ready)
}

// Refusal prints an error of the API server, which may be nil.
func (p *Print) Refusal(err *model.APIError) { p.whole(reflect.ValueOf(err)) }

// whole prints every field of a value that may decide something. It leaves out instants, because what follows from them
// is in the queue, what identity prints, and the reach of a claim, which is the storage's.
func (p *Print) whole(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if template, is := v.Interface().(*model.Template); is {
			p.Template(template)
		} else if p.Present(!v.IsNil()) {
			p.whole(v.Elem())
		}
	case reflect.Struct:
		for _, i := range p.known.printed(v.Type()) {
			p.whole(v.Field(i))
		}
	case reflect.Slice:
		p.Int(v.Len())
		for i := range v.Len() {
			p.whole(v.Index(i))
		}
	case reflect.Map:
		p.Labels(v.Interface().(map[string]string))
	case reflect.String:
		p.Text(v.String())
	case reflect.Bool:
		p.Bool(v.Bool())
	default:
		if v.CanInt() {
			p.long(v.Int())
		} else {
			p.long(int64(v.Uint()))
		}
	}
}

// printed returns the numbers of the fields of a struct that whole prints.
func (k *known) printed(of reflect.Type) []int {
	fields, known := k.fields[of]
	if !known {
		for i := range of.NumField() {
			switch f := of.Field(i); {
			case f.Name == "ResourceVersion", f.Name == "Reach":
			case f.Type == reflect.TypeFor[model.Time](), f.Type == reflect.TypeFor[model.UID]():
			default:
				fields = append(fields, i)
			}
		}
		k.fields[of] = fields
	}
	return fields
}
