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

// TestNotReadyAddresses: a Service that publishes them publishes a pod, with the template that it has, until its object
// is gone; another label ends it too, and a pod of another namespace is none of its business.
func TestNotReadyAddresses(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	addresses := &audit.Addresses{}
	log := audit.New(k, s, addresses)
	server := dns.New(k, s, log, addresses, 0)
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, server.SeePod)
	server.Create(&model.Service{
		Meta: model.Meta{Namespace: "default", Name: "web"}, Headless: true, PublishNotReady: true,
		Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
	})
	user := s.As(store.By{Actor: timeline.User})
	start := func(namespace, name string) model.Key {
		_, err := user.CreatePod(&model.Pod{
			Meta:     model.Meta{Namespace: namespace, Name: name, Labels: map[string]string{"app": "web"}},
			Template: &model.Template{ID: 3, Grace: 30 * time.Second}, Hostname: name, Subdomain: "web",
		})
		require.Nil(t, err)
		key := model.Key{Namespace: namespace, Name: name}
		user.ChangePod(key, func(p *model.Pod) { p.Node, p.Phase = "node-1", model.Running })
		return key
	}
	said := 0
	answers := func() (list []*timeline.Event) {
		server.Answer()
		events := k.Events()
		for i := range events[said:] {
			if e := &events[said+i]; e.Kind == timeline.KindDNS && e.DNS.Hostname != "" {
				list = append(list, e)
			}
		}
		said = len(events)
		return list
	}
	start("other", "web-0")
	require.Empty(t, answers(), "it is in another namespace")
	first, second := start("default", "web-0"), start("default", "web-1")
	list := answers()
	require.Len(t, list, 2)
	require.Equal(t, model.Added, list[0].DNS.Type)
	require.Equal(t, 3, list[0].Template)
	require.Nil(t, user.DeletePod(first, 0, false))
	require.Empty(t, answers(), "a pod that stops is published like one that is not Ready")
	user.RemovePod(first)
	list = answers()
	require.Len(t, list, 1)
	require.Equal(t, model.Deleted, list[0].DNS.Type)
	require.Equal(t, "web-0", list[0].DNS.Hostname)
	user.ChangePod(second, func(p *model.Pod) { p.Labels = map[string]string{"app": "other"} })
	list = answers()
	require.Len(t, list, 1)
	require.Equal(t, "web-1", list[0].DNS.Hostname)
}
