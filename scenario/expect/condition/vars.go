package condition

import (
	"maps"
	"sync"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// podAt is a pod as a condition sees it: at an instant, which decides its age and whether it is available.
type podAt struct {
	*timeline.Pod
	set *timeline.Set
	now model.Time
	// labels returns its labels, if no set owns it; nil of a pod of a set.
	labels func() map[string]string
}

// setAt is a set as a condition sees it, in one evaluation.
type setAt struct {
	*timeline.Set
	now model.Time
	in  *Evaluation
}

// The names of our own types, as messages have them.
const podType, setType, claimType, budgetType = "Pod", "StatefulSet", "PersistentVolumeClaim", "PodDisruptionBudget"

// objects are all types that conditions know: the Kubernetes types, and a pod, a set, a claim and a budget. They
// are made once and then only read.
var objects = sync.OnceValue(func() catalog {
	c := maps.Clone(kubernetes())
	pod, set, claim := &objectType{name: podType}, &objectType{name: setType}, &objectType{name: claimType}
	c[podType], c[setType], c[claimType] = pod, set, claim
	addPodFields(pod)
	addSetFields(set, c)
	c[budgetType] = newBudgetType()
	addClaimFields(claim)
	return c
})

// addPodFields adds the fields of a pod. A field that can change without an event about the pod must not be in steady.
func addPodFields(t *objectType) {
	add := func(name string, typ *types.Type, get func(p podAt) ref.Val) {
		t.add(name, typ, func(of any) any { return get(of.(podAt)) })
	}
	add("name", types.StringType, func(p podAt) ref.Val { return types.String(p.Name) })
	add("namespace", types.StringType, func(p podAt) ref.Val { return types.String(p.set.Key.Namespace) })
	add("ordinal", types.IntType, func(p podAt) ref.Val { return types.Int(p.Ordinal) })
	add("phase", types.StringType, func(p podAt) ref.Val { return types.String(p.Phase.String()) })
	add("state", types.StringType, func(p podAt) ref.Val { return types.String(p.State.String()) })
	add("ready", types.BoolType, func(p podAt) ref.Val { return types.Bool(p.Ready) })
	add("available", types.BoolType, func(p podAt) ref.Val { return types.Bool(p.set.IsAvailable(p.Pod, p.now)) })
	add("terminating", types.BoolType, func(p podAt) ref.Val { return types.Bool(p.Terminating) })
	add("serving", types.BoolType, func(p podAt) ref.Val { return types.Bool(p.Serving()) })
	add("template", types.IntType, func(p podAt) ref.Val { return types.Int(p.Template) })
	add("revision", types.IntType, func(p podAt) ref.Val { return types.Int(p.Revision) })
	add("image", types.StringType, func(p podAt) ref.Val { return types.String(p.Image) })
	add("node", types.StringType, func(p podAt) ref.Val { return types.String(p.Node) })
	add("age", types.DoubleType, func(p podAt) ref.Val { return seconds(p.now - p.Created) })
	add("nth", types.IntType, func(p podAt) ref.Val { return types.Int(p.Nth) })
	add("up", types.BoolType, func(p podAt) ref.Val { return types.Bool(p.Up()) })
	add("shown", types.StringType, func(p podAt) ref.Val { return types.String(p.Shown) })
	add("restarts", types.IntType, func(p podAt) ref.Val { return types.Int(p.Restarts) })
	add("uid", types.StringType, func(p podAt) ref.Val { return types.String(p.UID.String()) })
	add("ip", types.StringType, func(p podAt) ref.Val { return types.String(p.IP) })
	add("hostname", types.StringType, func(p podAt) ref.Val { return types.String(p.Name) })
	add("subdomain", types.StringType, func(p podAt) ref.Val { return types.String(p.subdomain()) })
	add("labels", types.NewMapType(types.StringType, types.StringType), func(p podAt) ref.Val {
		if p.labels != nil {
			return types.NewStringStringMap(types.DefaultTypeAdapter, p.labels())
		}
		return types.NewStringStringMap(types.DefaultTypeAdapter, p.set.Labels(p.Pod))
	})
}

// subdomain returns the Service below which the pod has its name: spec.serviceName cannot change.
func (p podAt) subdomain() string {
	if p.set.Spec == nil {
		return ""
	}
	return p.set.Spec.Spec.ServiceName
}

// addClaimFields adds the fields of a claim.
func addClaimFields(t *objectType) {
	add := func(name string, typ *types.Type, get func(c *timeline.ClaimState) ref.Val) {
		t.add(name, typ, func(of any) any { return get(of.(*timeline.ClaimState)) })
	}
	add("name", types.StringType, func(c *timeline.ClaimState) ref.Val { return types.String(c.Name) })
	add("namespace", types.StringType, func(c *timeline.ClaimState) ref.Val { return types.String(c.Set.Namespace) })
	add("statefulset", types.StringType, func(c *timeline.ClaimState) ref.Val { return types.String(c.Set.Name) })
	add("phase", types.StringType, func(c *timeline.ClaimState) ref.Val { return types.String(c.Phase) })
	add("terminating", types.BoolType, func(c *timeline.ClaimState) ref.Val { return types.Bool(c.Terminating) })
	add("owners", types.NewListType(types.StringType), func(c *timeline.ClaimState) ref.Val {
		return types.NewStringList(types.DefaultTypeAdapter, c.Owners)
	})
}

// addSetFields adds the fields of a set, which are also the variables of a condition about one set. Each must have its
// case in evaluator.versionsOf: otherwise its changes would not be seen.
func addSetFields(t *objectType, c catalog) {
	add := func(name string, typ *types.Type, get func(s setAt) ref.Val) {
		t.add(name, typ, func(of any) any { return get(of.(setAt)) })
	}
	spec := types.NewObjectType("kubernetes.StatefulSetSpec")
	status := types.NewObjectType("kubernetes.StatefulSetStatus")
	add("spec", spec, func(s setAt) ref.Val { return c.value(spec, s.SpecMap()) })
	add("status", status, func(s setAt) ref.Val { return c.value(status, s.StatusMap()) })
	add("pods", types.NewListType(types.NewObjectType(podType)), func(s setAt) ref.Val { return s.in.podsOf(s, c) })
	add("serving", types.IntType, func(s setAt) ref.Val { return types.Int(s.Serving()) })
	add("ready", types.IntType, func(s setAt) ref.Val { return types.Int(s.Ready()) })
	add("available", types.IntType, func(s setAt) ref.Val { return types.Int(s.Available(s.now)) })
	add("outdated", types.IntType, func(s setAt) ref.Val { return types.Int(s.Outdated()) })
	add("twins", types.IntType, func(s setAt) ref.Val { return types.Int(s.Twins()) })
	add("strays", types.IntType, func(s setAt) ref.Val { return types.Int(s.Strays()) })
}

// seconds returns an instant or a duration as conditions have it: a number of seconds.
func seconds(t model.Time) ref.Val { return types.Double(float64(t) / 1e9) }

// provider gives CEL our types. It remembers unknown fields, so that messages can suggest similar ones.
type provider struct {
	*types.Registry
	objects catalog
	// missing are the unknown fields, by name, with the type that lacks them.
	missing map[string]*objectType
}

// FindStructType finds a type by name.
func (p *provider) FindStructType(name string) (*types.Type, bool) {
	if p.objects[name] != nil {
		return types.NewTypeTypeWithParam(types.NewObjectType(name)), true
	}
	return p.Registry.FindStructType(name)
}

// FindStructFieldType finds a field of a type.
func (p *provider) FindStructFieldType(name, fieldName string) (*types.FieldType, bool) {
	t := p.objects[name]
	if t == nil {
		return p.Registry.FindStructFieldType(name, fieldName)
	}
	f := t.fields[fieldName]
	if f == nil {
		p.missing[fieldName] = t
		return nil, false
	}
	return &types.FieldType{
		Type:    f.typ,
		IsSet:   func(target any) bool { return f.get(target.(*object).of) != nil },
		GetFrom: func(target any) (any, error) { return target.(*object).read(f), nil },
	}, true
}

// newEnv returns the environment for compiling a condition. If the condition is not about one set, it only has
// sets, claims, bare, budgets and now. With self it is also about one pod of the set.
func newEnv(oneSet, self bool) (*cel.Env, *provider, error) {
	registry, err := types.NewRegistry()
	if err != nil {
		return nil, nil, err
	}
	p := &provider{Registry: registry, objects: objects(), missing: map[string]*objectType{}}
	options := []cel.EnvOption{
		cel.CustomTypeProvider(p), cel.CustomTypeAdapter(types.DefaultTypeAdapter),
		cel.CrossTypeNumericComparisons(true), cel.Macros(durationMacro),
		cel.ParserRecursionLimit(maxNesting), cel.ParserExpressionSizeLimit(maxExpression),
		cel.Variable("now", cel.DoubleType),
		cel.Variable("sets", cel.MapType(cel.StringType, cel.ObjectType(setType))),
		cel.Variable("budgets", cel.MapType(cel.StringType, cel.ObjectType(budgetType))),
		cel.Variable("claims", cel.ListType(cel.ObjectType(claimType))),
		cel.Variable("bare", cel.ListType(cel.ObjectType(podType))),
	}
	if oneSet {
		for _, name := range p.objects[setType].order {
			options = append(options, cel.Variable(name, p.objects[setType].fields[name].typ))
		}
	}
	if self {
		options = append(options, cel.Variable("self", cel.ObjectType(podType)))
	}
	env, err := cel.NewEnv(options...)
	return env, p, err
}
