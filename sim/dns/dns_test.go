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

// TestDNSAlone publishes a pod while it is Ready, a second later each time.
func TestDNSAlone(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	addresses := &audit.Addresses{}
	log := audit.New(k, s, addresses)
	server := dns.New(k, s, log, addresses, time.Second)
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, server.SeePod)
	server.Create(&model.Service{
		Meta: model.Meta{Namespace: "default", Name: "web"}, Headless: true,
		Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
	})
	user := s.As(store.By{Actor: timeline.User})
	_, err := user.CreatePod(&model.Pod{
		Meta:     model.Meta{Namespace: "default", Name: "web-0", Labels: map[string]string{"app": "web"}},
		Template: &model.Template{}, Hostname: "web-0", Subdomain: "web",
	})
	require.Nil(t, err)
	settle := func() *timeline.Event {
		server.Answer()
		if next, any := k.Peek(); any {
			k.Advance(next)
		}
		for k.Next() {
		}
		return &k.Events()[len(k.Events())-1]
	}
	key := model.Key{Namespace: "default", Name: "web-0"}
	require.Equal(t, model.Time(0), settle().T, "it is not Ready: there is nothing to say")
	user.ChangePod(key, func(p *model.Pod) { p.Node, p.Phase, p.Ready = "node-1", model.Running, true })
	answer := settle()
	require.Equal(t, model.Time(time.Second), answer.T)
	require.Equal(t, &timeline.DNS{Type: model.Added, Service: "web", IP: "10.244.1.2", Hostname: "web-0"}, answer.DNS)
	require.Nil(t, user.DeletePod(key, 0, true))
	answer = settle()
	require.Equal(t, model.Time(2*time.Second), answer.T)
	require.Equal(t, model.Deleted, answer.DNS.Type)
}
