package simtest

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/serve"
	"github.com/statefulsim/statefulsim/scenario/serve/reader"
	"github.com/statefulsim/statefulsim/scenario/serve/recording"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Options are what a test runs against.
type Options struct {
	// Kubernetes is the version of the control plane, such as 1.37; "" is the newest.
	Kubernetes string
	// Nodes is how many nodes the cluster has; 0 is three.
	Nodes int
	// Scenario is the text of a scenario whose cluster, kubelet and times hold, and its version if Kubernetes is "". Its
	// steps are not played.
	Scenario string
	// Controllers are those that act, as --controllers of sim serve has them: "" or all, none for a plain API server, or a
	// list such as statefulset,deployment.
	Controllers string
	// Seed draws the order at the turnstile. 0 is the order of age.
	Seed uint64
	// Chooser, if it is given, chooses the order instead.
	Chooser choose.Chooser
}

// Env is a simulated cluster in a test.
type Env struct {
	server  *serve.Server
	gate    *gate
	begun   time.Time
	context context.Context
	made    int
}

// New starts a cluster, which ends with the test. It must be called inside synctest.Test, or by Explore.
func New(t testing.TB, o Options) *Env {
	t.Helper()
	chooser := o.Chooser
	if chooser == nil && o.Seed != 0 {
		chooser = choose.Sweep(o.Seed)
	} else if chooser == nil {
		chooser = choose.Dull
	}
	text := o.Scenario
	if text == "" {
		text = fmt.Sprintf("name: simtest\nnodes: %d\nsteps: [{create: {name: unplayed, image: none}}]\n", cmp.Or(o.Nodes, 3))
	} else if o.Nodes != 0 {
		t.Fatal("simtest: give either Scenario, which has its nodes, or Nodes")
	}
	begin, err := recording.Read([]recording.Source{{Name: "simtest", Data: []byte(text)}},
		scenario.Options{Kubernetes: o.Kubernetes}, "simtest")
	if err == nil {
		if o.Scenario == "" {
			begin.Unplayed = 0
		}
		err = begin.SetControllers(cmp.Or(o.Controllers, recording.AllControllers))
	}
	if err != nil {
		t.Fatal(err)
	}
	c := serve.Config{Config: begin.Config}
	c.Epoch, c.Speed, c.Now = time.Now(), 1, time.Now
	ctx, cancel := context.WithCancel(context.Background())
	e := &Env{server: serve.New(c), begun: c.Epoch, context: ctx}
	e.server.Start()
	e.gate = newGate(e.server, chooser, c.Epoch)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		e.gate.run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return e
}

// Context is done when the test ends: with it, all that the test has started must end.
func (e *Env) Context() context.Context { return e.context }

// Config is how a client reaches the cluster. It sets no limit to the rate of requests.
func (e *Env) Config() *rest.Config {
	return &rest.Config{Host: "http://simtest.invalid", Transport: e.gate, QPS: -1}
}

// Advance lets virtual time pass, for the cluster and for the operator alike, and returns when everything that it has
// brought about at that instant has come to rest.
func (e *Env) Advance(d time.Duration) {
	e.gate.quiet()
	time.Sleep(d)
	e.gate.quiet()
}

// longest is how long Settle lets time pass.
const longest = 24 * time.Hour

// Settle lets time pass until nothing is left that changes anything in the cluster by itself, and all requests and
// watch events are through. It knows nothing of the timers of the operator, and gives up after a day of virtual time.
func (e *Env) Settle() {
	for end := time.Now().Add(longest); ; {
		e.gate.quiet()
		d, open := e.server.Due()
		if !open || time.Now().After(end) {
			return
		}
		time.Sleep(d)
	}
}

// Step does a step of a scenario at this instant, something that fails or that ends a failure: fail, unready, recover,
// crash, hang, nodeDown, nodeUp, outOfService, addRule or removeRule, as in "crash: {pod: web-1, reason: OOMKilled}".
func (e *Env) Step(step string) error {
	e.gate.quiet()
	w := httptest.NewRecorder()
	e.server.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/"+recording.Control+"/step", strings.NewReader(step)))
	if w.Code == http.StatusOK {
		return nil
	}
	var refused struct{ Message string }
	if err := json.Unmarshal(w.Body.Bytes(), &refused); err != nil {
		return err
	}
	return errors.New(refused.Message)
}

// Checkpoint keeps the cluster as it is, for Restore. It keeps nothing of the operator.
func (e *Env) Checkpoint() string {
	e.gate.quiet()
	e.made++
	name := fmt.Sprint("checkpoint-", e.made)
	e.control(http.MethodPost, "checkpoint/"+name)
	return name
}

// Restore lets the cluster go back to a checkpoint. The watches of the operator end as expired, and it lists again.
func (e *Env) Restore(checkpoint string) {
	e.gate.quiet()
	e.control(http.MethodPost, "restore/"+checkpoint)
	e.gate.quiet()
}

// Why explains the state of an object: what the controller waits for, and the last changes of the object with their
// reasons. object is KIND/NAME, or KIND/NAMESPACE/NAME.
func (e *Env) Why(object string) string {
	kind, name, _ := strings.Cut(object, "/")
	namespace, rest, found := strings.Cut(name, "/")
	if !found {
		namespace, rest = "default", name
	}
	var why reader.Why
	answer := e.control(http.MethodGet, "why/"+kind+"/"+rest+"?namespace="+namespace)
	if err := json.Unmarshal(answer, &why); err != nil || why.Kind == "" {
		return string(answer)
	}
	return strings.Join(why.Lines(func(at float64) string {
		return render.Clock(time.Duration(at * float64(time.Second)).Round(time.Millisecond))
	}), "\n")
}

// Timeline returns the events in the cluster so far, as sim run prints them.
func (e *Env) Timeline() string {
	e.gate.quiet()
	var text bytes.Buffer
	report.NewLive(&text, render.Style{}).Write(e.server.Timeline())
	return text.String()
}

// Log returns what the turnstile has let through so far, one per line: when, and which of how many waiting tickets.
func (e *Env) Log() string { return e.gate.told() }

// control asks the simulator itself.
func (e *Env) control(method, path string) []byte {
	w := httptest.NewRecorder()
	e.server.ServeHTTP(w, httptest.NewRequest(method, "/"+recording.Control+"/"+path, nil))
	return w.Body.Bytes()
}
