package kernel

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math"
	"reflect"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// Fingerprint is a hash of what decides the future of a world.
type Fingerprint [16]byte

// Print is a fingerprint in the making. Times are counted from now, and those of 0 are none; of uids and versions only
// counts which are the same: each is replaced by the order in which it has come.
type Print struct {
	now  model.Time
	text []byte
	// Nth says that it decides something which life of its name a pod or a claim is.
	Nth            bool
	uids, versions map[uint64]int64
}

// Fingerprint makes a fingerprint of what write prints.
func (k *Kernel) Fingerprint(write func(*Print)) Fingerprint {
	p := &Print{now: k.Now(), uids: map[uint64]int64{}, versions: map[uint64]int64{}}
	write(p)
	hash := fnv.New128a()
	hash.Write(p.text)
	return Fingerprint(hash.Sum(nil))
}

// Print prints what is still to come, in order, and how the run has ended, if it has.
func (k *Kernel) Print(p *Print) {
	entries := k.queue.All()
	p.Value(len(entries))
	for _, e := range entries {
		p.Value(e.At)
		p.Value(uint8(e.Actor))
		p.Value(e.Background)
		p.Value(e.Payload)
	}
	p.Value(string(k.Result.Verdict))
}

// same prints a number of which only counts where else it stands.
func (p *Print) same(known map[uint64]int64, v uint64) {
	n, is := known[v]
	if !is && v != 0 {
		n = int64(len(known)) + 1
		known[v] = n
	}
	p.number(n)
}

func (p *Print) number(n int64) { p.text = binary.AppendVarint(p.text, n) }

func (p *Print) words(s string) {
	p.number(int64(len(s)))
	p.text = append(p.text, s...)
}

// Value prints a value with all that it holds, but for functions, timers (they stand in the queue) and fields with the
// tag print:"-". A field with the tag print:"left" is an instant of which nothing counts once it has passed, and one
// with print:"nth" counts only where Nth is true; one with print:"span" is no instant, though it has the type of one.
func (p *Print) Value(v any) { p.walk(reflect.ValueOf(v)) }

var (
	timeType     = reflect.TypeFor[model.Time]()
	uidType      = reflect.TypeFor[model.UID]()
	templateType = reflect.TypeFor[*model.Template]()
	timerType    = reflect.TypeFor[*Timer]()
	slotType     = reflect.TypeFor[**Timer]()
)

func (p *Print) walk(v reflect.Value) {
	if !v.IsValid() {
		p.number(0)
		return
	}
	switch v.Type() {
	case timeType:
		p.time(model.Time(v.Int()))
		return
	case uidType:
		p.same(p.uids, v.Uint())
		return
	case timerType, slotType:
		return
	case templateType:
		p.template(v)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		p.text = append(p.text, byte(map[bool]int{true: 1}[v.Bool()]))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.number(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		p.number(int64(v.Uint()))
	case reflect.String:
		p.words(v.String())
	case reflect.Pointer, reflect.Interface:
		p.pointed(v)
	case reflect.Slice, reflect.Array:
		p.number(int64(v.Len()))
		for i := range v.Len() {
			p.walk(v.Index(i))
		}
	case reflect.Map:
		p.entries(v)
	case reflect.Struct:
		p.fields(v)
	}
}

func (p *Print) time(t model.Time) {
	if t == 0 {
		p.words("none")
		return
	}
	p.number(int64(t - p.now))
}

// template prints a template by what tells it from the others of its set.
func (p *Print) template(v reflect.Value) {
	if v.IsNil() {
		p.number(-1)
		return
	}
	p.number(v.Elem().FieldByName("ID").Int())
	p.words(v.Elem().FieldByName("Data").String())
}

func (p *Print) pointed(v reflect.Value) {
	if v.IsNil() {
		p.number(0)
		return
	}
	p.number(1)
	if v.Kind() == reflect.Interface {
		p.words(v.Elem().Type().String())
	}
	p.walk(v.Elem())
}

// entries prints a map in the order of its keys, and where these are uids in that in which they have come.
func (p *Print) entries(v reflect.Value) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		switch {
		case a.Type() == uidType:
			return cmp.Or(cmp.Compare(p.place(a.Uint()), p.place(b.Uint())), cmp.Compare(a.Uint(), b.Uint()))
		case a.Kind() == reflect.Struct:
			return cmp.Or(cmp.Compare(a.Field(0).String(), b.Field(0).String()),
				cmp.Compare(a.Field(1).String(), b.Field(1).String()))
		}
		return cmp.Compare(a.String(), b.String())
	})
	p.number(int64(len(keys)))
	for _, key := range keys {
		p.walk(key)
		p.walk(v.MapIndex(key))
	}
}

// place is where a uid stands among those that have come; one that has not comes after all that have.
func (p *Print) place(uid uint64) int64 {
	if n, is := p.uids[uid]; is {
		return n
	}
	return math.MaxInt64
}

// irrelevant are the fields of objects that decide nothing: when something began, and what is decided by a timer.
var irrelevant = map[reflect.Type][]string{
	reflect.TypeFor[model.Meta]():      {"Created"},
	reflect.TypeFor[model.Deletion]():  {"At"},
	reflect.TypeFor[model.Condition](): {"Since"},
	reflect.TypeFor[model.Pod]():       {"ReadySince"},
}

func (p *Print) fields(v reflect.Value) {
	of := v.Type()
	skipped := irrelevant[of]
	if of == reflect.TypeFor[behaviour.Restarts]() && v.FieldByName("next").Int() == 0 {
		// A container that has not ended lately waits for nothing, whenever it was started.
		skipped = []string{"restarted"}
	}
	for i := range of.NumField() {
		field, tag := v.Field(i), of.Field(i).Tag.Get("print")
		switch {
		case tag == "-" || tag == "nth" && !p.Nth || slices.Contains(skipped, of.Field(i).Name):
		case tag == "span":
			p.number(field.Int())
		case tag == "left":
			p.number(max(0, field.Int()-int64(p.now)))
		case of.Field(i).Name == "ResourceVersion":
			p.same(p.versions, field.Uint())
		default:
			p.walk(field)
		}
	}
}
