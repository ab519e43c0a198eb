//go:build real

package conformance_test

import (
	"cmp"
	"errors"
	"slices"
	"testing/synctest"

	v1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	core "k8s.io/client-go/testing"

	"github.com/statefulsim/statefulsim/model"
)

// request is a call of the real controller.
type request struct {
	action core.Action
	answer chan answer
}

type answer struct {
	object runtime.Object
	err    error
}

// serve answers the calls that the real controller waits for until it waits for none. Several of them are a batch, of
// which each call and what follows from it is a branch. While a branch is served no other goes on, so that a call that
// comes in meanwhile is its next; what comes in after the last branch has ended is what the sync does after the batch.
func (m *manager) serve(calls model.Calls) {
	for {
		synctest.Wait()
		m.mu.Lock()
		requests := m.requests
		m.requests = nil
		m.mu.Unlock()
		slices.SortFunc(requests, func(a, b *request) int { return cmp.Compare(nameOf(a.action), nameOf(b.action)) })
		switch {
		case len(requests) == 0:
			return
		case len(requests) == 1 || calls == nil:
			for _, r := range requests {
				m.reply(r, calls)
			}
		default:
			calls.Fork(len(requests), func(i int) {
				m.reply(requests[i], calls)
				m.serve(calls)
			})
		}
	}
}

// reply makes a call in the world and answers it.
func (m *manager) reply(r *request, calls model.Calls) {
	a := m.do(r.action, calls)
	m.reach()
	m.catchUpClaims()
	if conflict(a.err) {
		m.refresh(nameOf(r.action))
	}
	r.answer <- a
}

// refresh hands to the watches what a controller finds that reads a pod or a set again after a conflict. The world
// tells of it only when the sync has ended, or in its time.
func (m *manager) refresh(name string) {
	if m.sync == nil {
		return
	}
	if pod := m.sync.view.Latest(name); pod != nil && m.versions[name] != pod.ResourceVersion {
		m.versions[name] = pod.ResourceVersion
		m.deliver("pods", model.Modified, m.convertPod(pod))
	}
	if set := m.sync.view.Set(); set.Name == name && m.versions[name] != set.ResourceVersion {
		m.versions[name] = set.ResourceVersion
		m.deliver("statefulsets", model.Modified, m.setOf(set))
	}
}

// nameOf returns the name of the object of an action, by which the calls of a batch are ordered.
func nameOf(action core.Action) string {
	switch a := action.(type) {
	case interface{ GetObject() runtime.Object }:
		return a.GetObject().(metav1.Object).GetName()
	case interface{ GetName() string }:
		return a.GetName()
	}
	return ""
}

// react is where the calls of the real controller come in. Lists are only made in the beginning, when there is nothing.
func (m *manager) react(action core.Action) (bool, runtime.Object, error) {
	resource := action.GetResource().Resource
	switch {
	case resource == "events":
		return true, &v1.Event{}, nil
	case action.GetVerb() == "list":
		return true, emptyList(resource), nil
	}
	r := &request{action, make(chan answer, 1)}
	m.mu.Lock()
	m.requests = append(m.requests, r)
	m.mu.Unlock()
	// The fake client holds its lock over a call, and the calls of a batch are to be under way together.
	m.client.Unlock()
	defer m.client.Lock()
	a := <-r.answer
	return true, a.object, a.err
}

func conflict(err error) bool {
	var status *apierrors.StatusError
	return errors.As(err, &status) && status.ErrStatus.Reason == metav1.StatusReasonConflict
}

// do makes a call in the world.
func (m *manager) do(action core.Action, calls model.Calls) answer {
	kind := kinds[action.GetResource().Resource]
	if calls == nil {
		m.problem("the real controller does %s %s for a set that is gone", action.GetVerb(), kind)
		return answer{emptyOf(kind), apiError(&model.APIError{Reason: model.Timeout})}
	}
	call, sent := m.sync.callOf(action)
	if call.Key.Name == "" {
		return answer{emptyOf(kind), errors.New("resource name may not be empty")}
	}
	reply := calls.Do(call)
	if reply.Err != nil {
		return answer{emptyOf(kind), apiError(reply.Err)}
	}
	if kind == model.KindRevision && (!m.lags || call.Verb == model.Adopt) {
		m.wroteRevision(&call, &reply)
	}
	switch {
	case reply.Claim != nil:
		m.wrote[call.Key.Name] = reply.Claim.ResourceVersion
		return answer{m.claimOf(reply.Claim), nil}
	case reply.Pod != nil, reply.Revision != nil, reply.Set != nil:
		return answer{m.answerOf(m.sync, &reply), nil}
	}
	return answer{sent, nil}
}

// wroteRevision tells the watch at once of a revision that the real controller has written itself. Of one that it has
// adopted it does so even where the watches lag: for the simulator a cache has caught up with it by the time that the
// revisions are listed again. A real cache that has not makes the sync fail once if that revision is renumbered in it.
func (m *manager) wroteRevision(call *model.Call, reply *model.Reply) {
	const resource = "controllerrevisions"
	switch {
	case call.Verb == model.Delete:
		m.unseen(resource, call.Key.Name)
	case reply.Revision != nil && call.Verb != model.Get:
		m.seen(resource, &reply.Revision.Meta, func() runtime.Object { return m.revisionOf(reply.Revision) })
	}
}
