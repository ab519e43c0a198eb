package sim_test

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/cache"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

// plain is the fingerprint as nobody can forget a field in it: it walks over all that a room holds by reflection, but
// for what a tag takes out. A field with the tag print:"-" decides nothing, or follows from the rest; one with
// print:"left" is an instant of which nothing counts once it has passed, one with print:"nth" counts as far as a rule
// may ask, one with print:"span" is no instant, though it has the type of one, and of one with print:"keys" only the
// keys count. Functions and timers (they stand in the queue) are passed over.
type plain struct {
	w       *sim.World
	store   *store.Store
	nodes   *nodes.Controller
	manager *manager.Manager
	// lives is the highest life of a name that a rule asks for, 0 if none asks.
	lives          int
	text           []byte
	uids, versions map[uint64]int64
	ripens         bool
}

// rooms are the fields of the world that a fingerprint holds, besides the store and the kernel.
var rooms = []string{"scheduler", "nodes", "storage", "kubelet", "gc", "disruption", "dns", "manager"}

// plainFingerprint is World.Fingerprint, made slowly.
func plainFingerprint(w *sim.World) sim.Fingerprint {
	config := part[sim.Config](w, "config")
	p := &plain{
		w: w, store: *part[*store.Store](w, "store"), nodes: *part[*nodes.Controller](w, "nodes"),
		manager: *part[*manager.Manager](w, "manager"), lives: lives(config),
		uids: map[uint64]int64{}, versions: map[uint64]int64{},
	}
	p.ripens = p.manager.Ripens()
	p.value(p.store.Rules())
	for times := range config.Kubelet.All {
		if times.Pull != nil {
			p.number(max(0, int64(times.Pull.Until)-int64(w.Now())))
		}
	}
	p.value(p.store.Sets())
	p.value(p.store.Pods())
	p.value(p.store.Claims())
	p.value(p.store.Revisions())
	p.store.Templates(func(set model.Key, templates []*model.Template) { p.value(set); p.value(templates) })
	p.pending(*part[*kernel.Kernel](w, "kernel"))
	for _, name := range rooms {
		p.value(opened(reflect.ValueOf(w).Elem().FieldByName(name)).Interface())
	}
	caches := opened(reflect.ValueOf(p.manager).Elem().FieldByName("cache")).Interface().(*cache.Cache)
	for _, key := range p.manager.Known() {
		for _, kind := range store.Kinds {
			p.same(p.versions, caches.Unseen(key, kind))
		}
	}
	p.value(p.nodes.Rules())
	p.sweeps()
	p.faults(reflect.ValueOf(w).Elem().FieldByName("faults").Elem().FieldByName("all"))
	hash := fnv.New128a()
	hash.Write(p.text)
	return sim.Fingerprint(hash.Sum(nil))
}

// part returns a field of a world, which only the world itself should change.
func part[T any](w *sim.World, name string) *T {
	return (*T)(unsafe.Pointer(reflect.ValueOf(w).Elem().FieldByName(name).UnsafeAddr()))
}

// lives returns the highest life of a name that a rule asks for, 0 if none asks.
func lives(config *sim.Config) (highest int) {
	for i := range config.Kubelet.Rules {
		if nth := config.Kubelet.Rules[i].Match.Nth; nth != nil {
			highest = max(highest, *nth)
		}
	}
	for i := range config.Volumes.Rules {
		if nth := config.Volumes.Rules[i].Match.Nth; nth != nil {
			highest = max(highest, *nth)
		}
	}
	return highest
}

// pending prints the queue, and how the run has ended, if it has.
func (p *plain) pending(k *kernel.Kernel) {
	var entries []*kernel.Timer
	k.Each(func(t *kernel.Timer) { entries = append(entries, t) })
	slices.SortStableFunc(entries, func(a, b *kernel.Timer) int {
		seq := func(t *kernel.Timer) uint64 { return reflect.ValueOf(t).Elem().FieldByName("seq").Uint() }
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(seq(a), seq(b)))
	})
	for _, e := range entries {
		p.value(e.At)
		p.value(uint8(e.Actor))
		p.value(e.Background)
		p.value(e.Payload)
	}
	p.value(string(k.Result.Verdict))
}

// faults prints how often each fault has been met, as far as that still decides something.
func (p *plain) faults(all reflect.Value) {
	for i := range all.Len() {
		armed := all.Index(i).Elem()
		fault := opened(armed.FieldByName("Fault")).Interface().(*sim.Fault)
		seen, fired := armed.FieldByName("seen").Int(), armed.FieldByName("fired").Int()
		if fault.Write != nil {
			p.number(min(seen, int64(fault.Write.Nth)))
		}
		p.value(fault.Times > 0 && fired >= int64(fault.Times))
		p.number(min(fired, int64(fault.Times)))
	}
}

// sweeps prints when the pod garbage collector looks next, where it may have something to do.
func (p *plain) sweeps() {
	for _, n := range p.nodes.All() {
		if n.Down || n.Gone || n.NotReady || n.OutOfService {
			p.number(int64(p.w.Now() % model.Time(20*time.Second)))
			return
		}
	}
}

func (p *plain) number(n int64) { p.text = binary.AppendVarint(p.text, n) }

func (p *plain) words(s string) {
	p.number(int64(len(s)))
	p.text = append(p.text, s...)
}

func (p *plain) same(known map[uint64]int64, v uint64) {
	n, is := known[v]
	if !is && v != 0 {
		n = int64(len(known)) + 1
		known[v] = n
	}
	p.number(n)
}

func (p *plain) value(v any) { p.walk(reflect.ValueOf(v)) }

func (p *plain) walk(v reflect.Value) {
	if !v.IsValid() {
		p.number(0)
		return
	}
	if p.special(v) {
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
		p.entries(v, true)
	case reflect.Struct:
		p.fields(v)
	}
}

// special prints what is not printed field by field, and returns false for all else.
func (p *plain) special(v reflect.Value) bool {
	switch v.Type() {
	case reflect.TypeFor[model.Time]():
		p.time(model.Time(v.Int()))
	case reflect.TypeFor[model.UID]():
		p.same(p.uids, v.Uint())
	case reflect.TypeFor[*kernel.Timer](), reflect.TypeFor[**kernel.Timer]():
	case reflect.TypeFor[*model.Template]():
		p.template(v)
	case reflect.TypeFor[*workqueue.Bucket]():
		if v.IsNil() {
			p.number(0)
		} else {
			p.number(max(0, v.Elem().FieldByName("full").Int()-int64(p.w.Now())))
		}
	case reflect.TypeFor[*cache.Frozen]():
		opened(v).Interface().(*cache.Frozen).Print(walker{p})
	default:
		return p.specialByName(v)
	}
	return true
}

// keyed prints a map of the package keyed as one of Go: how it keeps its values depends on what was there before.
func (p *plain) keyed(m reflect.Value) {
	get := m.MethodByName("Get")
	plainly := reflect.MakeMap(reflect.MapOf(get.Type().In(0), get.Type().Out(0)))
	keys := m.MethodByName("Keys").Call(nil)[0]
	for i := range keys.Len() {
		plainly.SetMapIndex(keys.Index(i), get.Call([]reflect.Value{keys.Index(i)})[0])
	}
	p.entries(plainly, true)
}

// specialByName is special for types that have no name outside their room.
func (p *plain) specialByName(v reflect.Value) bool {
	if strings.HasPrefix(v.Type().String(), "keyed.") {
		p.keyed(opened(v).Addr())
		return true
	}
	switch v.Type().String() {
	case "manager.progress", "manager.sight":
		// How far the world had come counts only where it has not gone on since.
		p.value(p.stillThere(v))
	case "manager.input":
		p.walk(v.FieldByName("kind"))
		if p.walk(v.FieldByName("value")); v.FieldByName("value").IsNil() {
			p.walk(v.FieldByName("n"))
		}
	case "storage.attachment":
		p.walk(v.FieldByName("node"))
		for _, field := range []string{"pod", "runs", "blocked"} {
			p.walk(v.FieldByName(field))
		}
		p.number(max(0, v.FieldByName("since").Int()+int64(6*time.Minute)-int64(p.w.Now())))
	case "kubelet.container":
		p.fields(v)
		d := v.FieldByName("probed")
		if v.FieldByName("state").Uint() == 1 && !d.FieldByName("up").Bool() && !d.FieldByName("spec").IsNil() {
			p.walk(d.FieldByName("run"))
		}
	case "kubelet.manifest":
		p.fields(v)
		for _, list := range []string{"init", "main"} {
			p.phases(v.FieldByName("ticks").Int(), v.FieldByName(list))
		}
	case "kubelet.life":
		p.fields(v)
		if m := v.FieldByName("manifest"); !v.FieldByName("gate").IsNil() && !m.IsNil() {
			for _, list := range []string{"init", "main"} {
				p.gates(m.Elem().FieldByName("ticks").Int(), m.Elem().FieldByName(list))
			}
		}
	default:
		return false
	}
	return true
}

// opened is a value of a field that is not exported, for everybody.
func opened(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

func (p *plain) stillThere(v reflect.Value) bool {
	m := reflect.ValueOf(p.manager).Elem()
	if v.Type().String() == "manager.sight" {
		if v.FieldByName("ripe").Int() != m.FieldByName("ripened").Int() {
			return false
		}
		v = v.FieldByName("progress")
	}
	return v.FieldByName("version").Uint() == p.store.Version() &&
		v.FieldByName("late").Int() == m.FieldByName("late").Int()
}

// phases prints where the tickers of containers' probes stand.
func (p *plain) phases(since int64, containers reflect.Value) {
	for i := range containers.Len() {
		spec := containers.Index(i).Elem().FieldByName("probed").FieldByName("spec").Elem()
		for _, probe := range []string{"Startup", "Readiness", "Liveness"} {
			p.phase(since, spec.FieldByName(probe))
		}
	}
}

// gates prints where the tickers of readiness probes stand in the present runs of their containers.
func (p *plain) gates(since int64, containers reflect.Value) {
	for i := range containers.Len() {
		d := containers.Index(i).Elem().FieldByName("probed")
		from := max(since, d.FieldByName("run").FieldByName("From").Int())
		p.phase(from, d.FieldByName("spec").Elem().FieldByName("Readiness"))
	}
}

func (p *plain) phase(since int64, probe reflect.Value) {
	if probe.IsNil() {
		return
	}
	passed, period := int64(p.w.Now())-since, probe.Elem().FieldByName("Period").Int()
	if passed >= 0 && period > 0 {
		passed %= period
	}
	p.number(passed)
}

func (p *plain) time(t model.Time) {
	switch t {
	case 0:
		p.words("none")
	case behaviour.Forever:
		p.words("never")
	default:
		p.number(int64(t - p.w.Now()))
	}
}

// template prints a template by what tells it from the others of its set.
func (p *plain) template(v reflect.Value) {
	if v.IsNil() {
		p.number(-1)
		return
	}
	p.number(v.Elem().FieldByName("ID").Int())
	p.words(v.Elem().FieldByName("Data").String())
}

func (p *plain) pointed(v reflect.Value) {
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
func (p *plain) entries(v reflect.Value, values bool) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		switch {
		case a.Type() == reflect.TypeFor[model.UID]():
			return cmp.Or(cmp.Compare(p.place(a.Uint()), p.place(b.Uint())), cmp.Compare(a.Uint(), b.Uint()))
		case a.Kind() == reflect.Struct:
			return cmp.Or(cmp.Compare(a.Field(0).String(), b.Field(0).String()),
				cmp.Compare(a.Field(1).String(), b.Field(1).String()))
		}
		return cmp.Compare(a.String(), b.String())
	})
	p.number(int64(len(keys)))
	for _, key := range keys {
		if p.walk(key); values {
			p.walk(v.MapIndex(key))
		}
	}
}

// place is where a uid stands among those that have come; one that has not comes after all that have.
func (p *plain) place(uid uint64) int64 {
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

func (p *plain) fields(v reflect.Value) {
	of := v.Type()
	skipped := irrelevant[of]
	if of == reflect.TypeFor[behaviour.Restarts]() && v.FieldByName("next").Int() == 0 {
		// A container that has not ended lately waits for nothing, whenever it was started.
		skipped = []string{"restarted"}
	}
	if of == reflect.TypeFor[model.Pod]() && p.ripens && v.FieldByName("Ready").Bool() {
		skipped = nil
	}
	for i := range of.NumField() {
		field, tag := v.Field(i), of.Field(i).Tag.Get("print")
		switch {
		case tag == "-" || slices.Contains(skipped, of.Field(i).Name):
		case tag == "nth":
			p.number(min(field.Int(), int64(p.lives+1)))
		case tag == "keys":
			p.entries(field, false)
		case tag == "span":
			p.number(field.Int())
		case tag == "left":
			p.number(max(0, field.Int()-int64(p.w.Now())))
		case of.Field(i).Name == "ResourceVersion":
			p.same(p.versions, field.Uint())
		default:
			p.walk(field)
		}
	}
}

// walker prints a view.
type walker struct{ p *plain }

func (w walker) Int(n int)                    { w.p.number(int64(n)) }
func (w walker) Time(t model.Time)            { w.p.time(t) }
func (w walker) Set(s *model.StatefulSet)     { w.p.value(s) }
func (w walker) Pod(pod *model.Pod)           { w.p.value(pod) }
func (w walker) Revision(rev *model.Revision) { w.p.value(rev) }
