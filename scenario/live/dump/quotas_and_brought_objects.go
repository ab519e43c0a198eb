package dump

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
)

// Brought is an object that a change brings: one that is new, or that is not as it was.
type Brought struct {
	Kind, Namespace, Name string
	// Keys are those of the data of a ConfigMap or a Secret. Spec is what counts of the spec of any other object.
	Keys []string
	Spec BroughtSpec
}

// BroughtSpec has the fields of specs that count, by the kinds that have them: what a ResourceQuota allows, what a
// LimitRange demands, whether a Service shows pods that are not Ready, what a PersistentVolume gives to which
// claim, and the Secret that others make.
type BroughtSpec struct {
	Hard                     corev1.ResourceList
	Limits                   []corev1.LimitRangeItem
	PublishNotReadyAddresses bool
	StorageClassName         string
	Capacity                 corev1.ResourceList
	AccessModes              []corev1.PersistentVolumeAccessMode
	ClaimRef                 *corev1.ObjectReference
	SecretName               string
	Target                   struct{ Name string }
}

// Cure is an object that a change brings, and how it helps the pods of a set, as a clause: "which its pods wait for".
type Cure struct {
	Brought
	How string
}

// Given returns the dump as it is when a change has brought some objects, and says of the sets what they cure. A pod
// that waits for one of them starts, and one that was refused is created. A container that ends again and again reads
// its environment and its files anew at each restart (kuberuntime_container.go), so with another ConfigMap or Secret it
// may stay up: reads says which of them a template reads. The dump does not change, and is returned as it is if nothing
// is cured.
func (d *Dump) Given(brought []Brought, reads func(*model.Template, Brought) bool) (*Dump, map[model.Key][]Cure) {
	cures := map[model.Key][]Cure{}
	given, state := *d, *d.State
	given.State, given.Facts = &state, maps.Clone(d.Facts)
	given.Sets, given.Claims = maps.Clone(d.Sets), maps.Clone(d.Claims)
	given.allowed, given.admits = map[model.Key]bool{}, map[model.Key]bool{}
	state.Pods = slices.Clone(d.State.Pods)
	for i := range state.Pods {
		p := state.Pods[i]
		if p.Ready || p.Terminating() {
			continue
		}
		f := d.Facts[p.Key()]
		item := symptom.LacksItem.Found(f.Event)
		for _, b := range brought {
			how, key := d.helps(p, &b), item != "" && slices.Contains(b.Keys, item)
			if how == "" && (key || f.ends()) && b.Namespace == p.Namespace && reads(p.Template, b) {
				if how = "which its containers read at each restart"; key {
					how = waits
				}
			}
			if how == "" {
				continue
			}
			state.Pods[i], given.Facts[p.Key()] = cured(p), f.cured()
			set := model.Key{Namespace: p.Namespace, Name: ownerName(p.Pod)}
			cures[set] = append(cures[set], Cure{b, how})
			break
		}
	}
	for _, b := range brought {
		given.provide(&b)
		for _, set := range d.State.Sets {
			if how := d.creates(set, &b); how != "" {
				cures[set.Key()] = append(cures[set.Key()], Cure{b, given.allow(set, &b, how)})
			}
		}
	}
	if len(cures) == 0 {
		return d, nil
	}
	given.places = placesOf(&state)
	return &given, cures
}

// makers are the kinds of which controllers make Secrets.
var makers = []string{"Certificate", "ExternalSecret", "SealedSecret"}

// waits is how something helps that a pod waits for.
const waits = "which its pods wait for"

// helps says how an object helps a pod that is not Ready, as a clause; "" if it does not.
func (d *Dump) helps(p Pod, b *Brought) string {
	f := d.Facts[p.Key()]
	if b.Kind == "StorageClass" || b.Kind == kindVolume {
		if p.Node == "" && slices.ContainsFunc(d.ClaimsOf(p.Pod), func(c *model.Claim) bool { return d.givesTo(b, c) }) {
			return waits
		}
		return ""
	}
	if b.Namespace != p.Namespace {
		return ""
	}
	kind, name := f.Lacks()
	key, of := symptom.LacksKey(f.Message)
	switch {
	case kind == b.Kind && name == b.Name, of == b.Kind+" "+b.Name && slices.Contains(b.Keys, key),
		b.Kind == kindClaim && symptom.Missing(f.Unschedulable, b.Kind, b.Namespace, b.Name),
		b.Kind == "Secret" && slices.Contains(strings.Split(strings.Trim(f.PullSecret, "()"), ", "), b.Name),
		symptom.NotFound(f.Event, b.Kind, b.Name):
		return waits
	case kind == "Secret" && slices.Contains(makers, b.Kind) &&
		name == cmp.Or(b.Spec.SecretName, b.Spec.Target.Name, b.Name):
		return "which makes the Secret " + name + " that its pods wait for"
	case b.Kind == kindService && d.shows(p, b):
		return "which lets its pods find each other before they are Ready"
	}
	return ""
}

// shows says whether a Service shows a pod to its peers that nobody found before: the Service of the set was not there,
// or hid its pods until they are Ready, and none is. That may be why the pod, which runs, is not Ready.
func (d *Dump) shows(p Pod, b *Brought) bool {
	at := slices.IndexFunc(d.State.Sets, func(set *model.StatefulSet) bool {
		return set.Namespace == p.Namespace && set.Name == ownerName(p.Pod) && set.Spec.ServiceName == b.Name
	})
	if at < 0 || p.Phase != model.Running || d.Facts[p.Key()].Waiting != "" {
		return false
	}
	hides := b.Spec.PublishNotReadyAddresses && slices.Contains(d.Hiding, model.Key{Namespace: b.Namespace, Name: b.Name})
	return d.ServiceMissing(d.State.Sets[at]) ||
		hides && !slices.ContainsFunc(d.PodsOf(d.State.Sets[at]), func(other *Pod) bool { return other.Ready })
}

// creates says how an object lets the missing pods of a set be created, as a clause; "" if it does not. If no event
// says why they are refused, it is an object that they name.
func (d *Dump) creates(set *model.StatefulSet, b *Brought) string {
	says := d.Sets[set.Key()].FailedCreate
	pod, claim := d.lacking(set)
	switch {
	case b.Namespace != "" && b.Namespace != set.Namespace, says != "" && !b.allows(says):
		return ""
	case says == "" && (PartsOf(set.Spec.Template).Named(b.Kind) != b.Name || pod == "" || claim != ""):
		return ""
	case b.Kind == kindQuota, b.Kind == kindLimits:
		return "which allows its pods"
	}
	return "without which its pods are refused"
}

// allow lets refused pods of a set be created, or as many as a quota has room for. It returns how the object helps.
func (d *Dump) allow(set *model.StatefulSet, b *Brought, how string) string {
	key := set.Key()
	missing := slices.DeleteFunc(set.PodKeys(), func(pod model.Key) bool { return d.Pod(pod) != nil })
	room, next := len(missing), ""
	if b.Kind == kindQuota && d.Sets[key].FailedCreate != "" {
		room, next = b.room(d.Sets[key].FailedCreate, len(missing))
	}
	if room == len(missing) {
		note(d.Sets, key, func(f *SetFacts) { f.FailedCreate = "" })
		d.allowed[key] = true
		return how
	}
	note(d.Sets, key, func(f *SetFacts) { f.FailedCreate = next })
	for _, pod := range missing[:room] {
		d.admits[pod] = true
	}
	return fmt.Sprintf("which has room for %d of the %d pods that do not exist", room, len(missing))
}

// provide lets the claims that wait for an object have volumes.
func (d *Dump) provide(b *Brought) {
	for _, claim := range d.State.Claims {
		if d.givesTo(b, claim) {
			note(d.Claims, claim.Key(), func(f *ClaimFacts) { f.Failed = "" })
			d.volumes = append(d.volumes, claim.Key())
		}
	}
}

// givesTo says whether a claim that waits gets its volume by an object that is brought: its StorageClass, which does
// not exist, or a PersistentVolume that is meant for it.
func (d *Dump) givesTo(b *Brought, claim *model.Claim) bool {
	if !d.Waits(claim) {
		return false
	}
	if b.Kind == kindVolume {
		return VolumeOf(claim) == b.Name || VolumeOf(claim) == "" && b.Spec.holds(claim)
	}
	return b.Kind == "StorageClass" && ClassOf(claim) == b.Name && (d.NoClass(claim) != "" || d.untaken(claim))
}

// ends says whether a container of the pod ends again and again.
func (f *Facts) ends() bool { return f.Waiting == symptom.CrashLoop || f.Crashed }

// cured returns a pod whose containers begin to start now.
func cured(p Pod) Pod {
	own := *p.Pod
	own.Containers = nil
	p.Pod, p.Bound, p.Started = &own, 0, 0
	return p
}

// cured returns the facts of a pod that lacks nothing any more.
func (f *Facts) cured() *Facts {
	is := *f
	is.Waiting, is.Message, is.Event, is.PullSecret, is.Unschedulable = "", "", "", "", ""
	is.Crashed, is.Lost, is.Last, is.Cured = false, false, nil, true
	return &is
}

// holds says whether a PersistentVolume is large enough for a claim, can be used as it asks, and is kept for no other.
func (b *BroughtSpec) holds(claim *model.Claim) bool {
	asks, ref := claimSpec(claim), b.ClaimRef
	size := b.Capacity[corev1.ResourceStorage]
	return b.StorageClassName == ClassOf(claim) && size.Cmp(asks.Resources.Requests[corev1.ResourceStorage]) >= 0 &&
		!slices.ContainsFunc(asks.AccessModes, func(mode corev1.PersistentVolumeAccessMode) bool {
			return !slices.Contains(b.AccessModes, mode)
		}) && (ref == nil || ref.Namespace == claim.Namespace && ref.Name == claim.Name)
}

// allows says whether an object that is there now ends the refusal of a message about a pod that cannot be created.
// Messages name what is missing, or the numbers that are exceeded.
func (b *Brought) allows(says string) bool {
	switch b.Kind {
	case kindQuota:
		pods, _ := b.room(says, 1)
		return pods > 0
	case kindLimits:
		return b.admits(says)
	}
	return symptom.Missing(says, b.Kind, b.Namespace, b.Name)
}

// QuotaRoom is how many more pods of a set a ResourceQuota admits, and what it has given of it: "pods: 3 of 3".
type QuotaRoom struct {
	Quota, Given string
	Pods         int
}

// RoomInQuotas returns what the quotas of the namespace of a set leave for it, by their status; none for some pods only.
func (d *Dump) RoomInQuotas(set *model.StatefulSet) (list []QuotaRoom) {
	for _, quota := range d.limits {
		spec := &quota.Spec
		if cmp.Or(quota.Namespace, "default") != set.Namespace || len(spec.Scopes) > 0 || spec.ScopeSelector != nil {
			continue
		}
		least := QuotaRoom{Quota: quota.Name, Pods: -1}
		for _, name := range slices.Sorted(maps.Keys(quota.Status.Hard)) {
			hard, used, asks := quota.Status.Hard[name], quota.Status.Used[name], shareOf(set.Spec.Template, string(name))
			if asks <= 0 {
				continue
			}
			pods := max(0, int((hard.AsApproximateFloat64()-used.AsApproximateFloat64())/asks))
			if least.Pods < 0 || pods < least.Pods {
				least.Pods, least.Given = pods, fmt.Sprintf("%s: %s of %s", name, used.String(), hard.String())
			}
		}
		if least.Pods >= 0 {
			list = append(list, least)
		}
	}
	return list
}

// shareOf returns how much of a resource of a quota a pod of a template asks for, 0 for none.
func shareOf(template *model.Template, name string) (sum float64) {
	if name == "pods" || name == "count/pods" {
		return 1
	}
	resourceName, limited := strings.CutPrefix(name, "limits.")
	for _, c := range containersOf(template) {
		list := []corev1.ResourceList{c.Resources.Requests, c.Resources.Limits}
		if limited {
			list = list[1:]
		}
		for _, amounts := range list {
			if amount, given := amounts[corev1.ResourceName(strings.TrimPrefix(resourceName, "requests."))]; given {
				sum += amount.AsApproximateFloat64()
				break
			}
		}
	}
	return sum
}

// room returns for how many pods like that of a message a quota has room now, at most so many, and the message about
// the next one. A resource that it does not limit any more counts as allowed.
func (b *Brought) room(says string, most int) (pods int, next string) {
	exceeded := symptom.QuotaExceeded(says)
	if exceeded == nil || exceeded.Quota != b.Name {
		return 0, says
	}
	requested, used := amounts(exceeded.Requested), amounts(exceeded.Used)
	for ; pods < most; pods++ {
		var uses, limits []string
		full := false
		for _, name := range slices.Sorted(maps.Keys(requested)) {
			hard, limited := b.Spec.Hard[corev1.ResourceName(name)]
			before, after := used[name], requested[name]
			after.Add(before)
			used[name], full = after, full || limited && after.Cmp(hard) > 0
			if limited {
				uses, limits = append(uses, name+"="+before.String()), append(limits, name+"="+hard.String())
			}
		}
		if full {
			return pods, exceeded.Again(says, strings.Join(uses, ","), strings.Join(limits, ","))
		}
	}
	return pods, ""
}

// Refuses says whether an event says that a ResourceQuota, or a LimitRange of the namespace, refuses pods.
func (d *Dump) Refuses(kind string, of model.Key) bool {
	for _, set := range slices.SortedFunc(maps.Keys(d.Sets), model.Key.Compare) {
		says := d.Sets[set].FailedCreate
		exceeded := symptom.QuotaExceeded(says)
		if set.Namespace == of.Namespace && (kind == kindQuota && exceeded != nil && exceeded.Quota == of.Name ||
			kind == kindLimits && len(symptom.Bounds(says)) > 0) {
			return true
		}
	}
	return false
}

// amounts reads "requests.cpu=2,pods=3". What is no amount is left out.
func amounts(text string) map[string]resource.Quantity {
	list := map[string]resource.Quantity{}
	for pair := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(pair, "=")
		if amount, err := resource.ParseQuantity(value); err == nil {
			list[name] = amount
		}
	}
	return list
}

// admits says whether a LimitRange admits the pod of a message of an earlier one.
func (b *Brought) admits(says string) bool {
	all := symptom.Bounds(says)
	for _, bound := range all {
		amount, err := resource.ParseQuantity(bound.Has)
		if err != nil || slices.ContainsFunc(b.Spec.Limits, func(item corev1.LimitRangeItem) bool {
			most, atMost := item.Max[corev1.ResourceName(bound.Resource)]
			least, atLeast := item.Min[corev1.ResourceName(bound.Resource)]
			return string(item.Type) == bound.Of && (atMost && amount.Cmp(most) > 0 || atLeast && amount.Cmp(least) < 0)
		}) {
			return false
		}
	}
	return len(all) > 0
}
