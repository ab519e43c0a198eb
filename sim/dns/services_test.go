package dns_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/dns"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// cluster is a DNS with a store of pods, and nothing else.
type cluster struct {
	kernel    *kernel.Kernel
	store     *store.Store
	log       *audit.Log
	addresses *audit.Addresses
	*dns.Server
}

func newCluster(delay time.Duration) *cluster {
	c := &cluster{kernel: kernel.New(nil), addresses: &audit.Addresses{}}
	c.store = store.New(model.APIRules{}, c.kernel.Now)
	c.log = audit.New(c.kernel, c.store, c.addresses)
	c.Server = dns.New(c.kernel, c.store, c.log, c.addresses, delay)
	c.store.Watch(model.KindPod, c.log.SeePod)
	c.store.Watch(model.KindPod, func(change *store.Change) { c.SeePod(change) })
	return c
}

// serves creates a pod that serves.
func (c *cluster) serves(t *testing.T, name string) *model.Pod {
	user, key := c.store.As(store.By{Actor: timeline.User}), named(name)
	_, err := user.CreatePod(&model.Pod{
		Meta:     model.Meta{Namespace: key.Namespace, Name: name, Labels: map[string]string{"app": "web"}},
		Template: &model.Template{}, Hostname: name, Subdomain: "web",
	})
	require.Nil(t, err)
	user.ChangePod(key, func(p *model.Pod) { p.Node, p.Phase, p.Ready = "node-1", model.Running, true })
	return c.store.Pod(key)
}

// published returns which pods the DNS has begun to publish, and when.
func (c *cluster) published(t *testing.T) (names []string) {
	events := c.kernel.Events()
	for i := range events {
		if e := &events[i]; e.Kind == timeline.KindDNS && e.Pod != "" {
			require.Equal(t, model.Added, e.DNS.Type)
			names = append(names, e.Pod+" at "+e.T.Clock())
		}
	}
	return names
}

// play lets everything happen that is on its way.
func (c *cluster) play() {
	for next, any := c.kernel.Peek(); any; next, any = c.kernel.Peek() {
		c.kernel.Advance(next)
		for c.kernel.Next() {
		}
	}
}

func named(name string) model.Key { return model.Key{Namespace: "default", Name: name} }

func serviceOf(name string) *model.Service {
	return &model.Service{Meta: model.Meta{Namespace: "default", Name: name},
		Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}}}
}

// TestServices: Services are listed by name and keep their addresses when they change. Pods have addresses as long as
// there is one.
func TestServices(t *testing.T) {
	c := newCluster(0)
	pod := c.serves(t, "web-0")
	c.Create(serviceOf("web"))
	c.Create(serviceOf("api"))
	require.Equal(t, "10.96.0.10", c.Service(named("web")).ClusterIP)
	require.Nil(t, c.Service(named("db")))

	changed := serviceOf("web")
	changed.PublishNotReady = true
	c.Update(changed)
	require.True(t, c.Service(named("web")).PublishNotReady)
	require.Equal(t, "10.96.0.10", c.Service(named("web")).ClusterIP)
	require.Equal(t, []*model.Service{c.Service(named("api")), c.Service(named("web"))}, c.Services())

	require.True(t, c.Delete(named("api")))
	require.False(t, c.Delete(named("api")))
	require.Equal(t, "10.244.1.2", c.addresses.Of(pod))
	require.True(t, c.Delete(named("web")))
	require.Empty(t, c.addresses.Of(pod), "nobody asks for addresses")
	require.Empty(t, c.Services())
}

// TestChangesOnTheirWay: a DNS that goes on from a saved one tells what was on its way, but for a Service that has gone
// in between, even if another one has its name.
func TestChangesOnTheirWay(t *testing.T) {
	c := newCluster(time.Second)
	c.Create(serviceOf("www"))
	c.Create(serviceOf("web"))
	c.serves(t, "web-0")
	c.Answer()
	c.Delete(named("www"))
	c.Create(serviceOf("www"))
	saved := c.Save()
	c.Server = dns.New(c.kernel, c.store, c.log, c.addresses, time.Second)
	c.Load(saved)
	require.Empty(t, c.published(t))
	c.play()
	require.Equal(t, []string{"web-0 at 1s"}, c.published(t))
	c.Answer()
	c.play()
	require.Equal(t, []string{"web-0 at 1s", "web-0 at 2s"}, c.published(t), "the new Service publishes it too")
}

// TestAPodThatIsGone gives its address back, whether or not anybody publishes it.
func TestAPodThatIsGone(t *testing.T) {
	for name, end := range map[string]func(*cluster){
		"a Service publishes it": func(*cluster) {},
		"no Service is left":     func(c *cluster) { c.Delete(named("web")) },
	} {
		c := newCluster(0)
		c.Create(serviceOf("web"))
		pod := c.serves(t, "web-0")
		c.Answer()
		require.Equal(t, "10.244.1.2", c.addresses.Of(pod), name)
		end(c)
		require.Nil(t, c.store.As(store.By{Actor: timeline.User}).DeletePod(named("web-0"), 0, true))
		c.addresses.Wanted = true
		gone := *pod
		gone.Phase = model.Succeeded
		require.Empty(t, c.addresses.Of(&gone), name)
	}
}

// TestNothingHasChanged: a fixed point at which no pod has changed costs nothing.
func TestNothingHasChanged(t *testing.T) {
	c := newCluster(0)
	c.Create(serviceOf("web"))
	c.serves(t, "web-0")
	c.Answer()
	require.Zero(t, testing.AllocsPerRun(10, c.Answer))
}

// TestOfWhichNamespace: each answer belongs to a namespace, also for a pod whose name is not that of a replica.
func TestOfWhichNamespace(t *testing.T) {
	c := newCluster(0)
	c.Create(serviceOf("web"))
	c.serves(t, "debug")
	c.Answer()
	events := c.kernel.Events()
	require.Equal(t, "debug", events[len(events)-1].Pod)
	require.Equal(t, model.Key{Namespace: "default"}, events[len(events)-1].Set)
}

// TestFingerprints: two clusters differ in what is published, and in what is on its way.
func TestFingerprints(t *testing.T) {
	type act func(*cluster)
	of := func(delay time.Duration, acts ...act) kernel.Fingerprint {
		c := newCluster(delay)
		for _, act := range acts {
			act(c)
			c.Answer()
		}
		return c.kernel.Fingerprint(c.Print)
	}
	service := func(name string, selects string) *model.Service {
		s := serviceOf(name)
		s.Headless, s.Selector.Needs[0].Values = true, []string{selects}
		return s
	}
	comes := func(name string) act { return func(c *cluster) { c.serves(t, name) } }
	goes := func(name string) act {
		return func(c *cluster) {
			require.Nil(t, c.store.As(store.By{Actor: timeline.User}).DeletePod(named(name), 0, true))
		}
	}
	created := func(name string) act { return func(c *cluster) { c.Create(service(name, "web")) } }
	selects := func(name, label string) act { return func(c *cluster) { c.Update(service(name, label)) } }
	deleted := func(name string) act { return func(c *cluster) { c.Delete(named(name)) } }

	differ := func(name string, delay time.Duration, one, other []act) {
		begin := []act{created("api"), func(c *cluster) { c.Create(serviceOf("db")) }}
		require.NotEqual(t, of(delay, append(begin, one...)...), of(delay, append(begin, other...)...), name)
	}
	differ("which pod is published", 0, []act{deleted("api"), comes("web-0")}, []act{deleted("api"), comes("web-1")})
	differ("how many pods are published", 0, []act{comes("web-0")}, []act{comes("web-0"), comes("web-1")})
	differ("which Service hears of it again", time.Second,
		[]act{created("www"), comes("web-0"), selects("api", "other"), selects("api", "web")},
		[]act{created("www"), comes("web-0"), selects("www", "other"), selects("www", "web")})
	differ("whether the Service is still the one that was told", time.Second,
		[]act{comes("web-0"), selects("api", "other"), selects("api", "web")},
		[]act{comes("web-0"), selects("api", "other"), deleted("api"), created("api")})
	require.Equal(t, of(0, created("api")), of(0, created("api"), comes("web-0"), goes("web-0")),
		"a pod that came and went leaves nothing")
}
