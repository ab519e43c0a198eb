package proof

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/argoproj/argo-cd/gitops-engine/v3/pkg/health"
	fluxreaders "github.com/fluxcd/cli-utils/pkg/kstatus/polling/statusreaders"
	fluxstatus "github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/stretchr/testify/require"
	helm3 "helm.sh/helm/v3/pkg/kube"
	helm4 "helm.sh/helm/v4/pkg/kube"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/kubernetes"
	appsclient "k8s.io/client-go/kubernetes/typed/apps/v1"
	"k8s.io/kubectl/pkg/polymorphichelpers"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// real are the tools' own readers, by the gates that they are compared with.
var real = map[*gate.Gate]func(*testing.T, *timeline.Set) gate.Verdict{
	gate.KubectlRolloutStatus: kubectl, gate.Helm3: legacy3, gate.Helm4Legacy: legacy4, gate.KStatus: kstatus,
	gate.Helm4: withPods, gate.ArgoCD: argo, gate.Kubedog: kubedog,
}

// kubectl is the status viewer of kubectl rollout status.
func kubectl(_ *testing.T, s *timeline.Set) gate.Verdict {
	text, done, err := (&polymorphichelpers.StatefulSetStatusViewer{}).Status(untyped(object(s)), 0)
	switch text = strings.TrimSuffix(text, "\n"); {
	case err != nil:
		return gate.Verdict{State: gate.Failed, Words: "error: " + err.Error()}
	case done:
		return gate.Verdict{State: gate.Done, Words: text}
	}
	return gate.Verdict{Words: text}
}

// cluster is a client that knows one set.
type cluster struct {
	kubernetes.Interface
	appsclient.AppsV1Interface
	appsclient.StatefulSetInterface
	set *appsv1.StatefulSet
}

// AppsV1 returns the cluster itself, and so does StatefulSets; Get returns the set.
func (c *cluster) AppsV1() appsclient.AppsV1Interface                  { return c }
func (c *cluster) StatefulSets(string) appsclient.StatefulSetInterface { return c }
func (c *cluster) Get(context.Context, string, metav1.GetOptions) (*appsv1.StatefulSet, error) {
	return c.set, nil
}

// legacy3 is the ready checker of Helm 3; its words are what it logs.
func legacy3(t *testing.T, s *timeline.Set) gate.Verdict {
	o, words := object(s), ""
	checker := helm3.NewReadyChecker(&cluster{set: o}, func(format string, args ...any) { words = fmt.Sprintf(format, args...) })
	ready, err := checker.IsReady(context.Background(), &resource.Info{Namespace: "default", Name: "web", Object: o})
	require.NoError(t, err)
	return readyAs(ready, words)
}

// legacy4 is that of Helm 4. It logs in another form: only its verdict is compared.
func legacy4(t *testing.T, s *timeline.Set) gate.Verdict {
	o := object(s)
	slog.SetDefault(slog.New(slog.NewTextHandler(&bytes.Buffer{}, nil)))
	checker := helm4.NewReadyChecker(&cluster{set: o})
	ready, err := checker.IsReady(context.Background(), &resource.Info{Namespace: "default", Name: "web", Object: o})
	require.NoError(t, err)
	return readyAs(ready, gate.Helm4Legacy.Read(s).Words)
}

func readyAs(ready bool, words string) gate.Verdict {
	if ready {
		return gate.Verdict{State: gate.Done, Words: words}
	}
	return gate.Verdict{Words: words}
}

// kstatus is what both copies say, which must be the same.
func kstatus(t *testing.T, s *timeline.Set) gate.Verdict {
	o := untyped(object(s))
	one, err := status.Compute(o)
	require.NoError(t, err)
	two, err := fluxstatus.Compute(o)
	require.NoError(t, err)
	require.Equal(t, one.Status.String()+one.Message, two.Status.String()+two.Message)
	return statusAs(one.Status.String(), one.Message)
}

func statusAs(name, message string) gate.Verdict {
	v := gate.Verdict{Status: name, Words: message}
	switch name {
	case "Current":
		v.State = gate.Done
	case "Failed":
		v.State = gate.Failed
	}
	return v
}

// pods is a cluster reader that lists the pods of one set.
type pods struct{ set *timeline.Set }

// Get finds nothing.
func (pods) Get(context.Context, client.ObjectKey, *unstructured.Unstructured) error { return nil }

// ListNamespaceScoped lists the pods.
func (p pods) ListNamespaceScoped(_ context.Context, list *unstructured.UnstructuredList, _ string, _ labels.Selector) error {
	for pod := range p.set.Pods.All {
		list.Items = append(list.Items, *untyped(podObject(pod)))
	}
	return nil
}

// ListClusterScoped lists nothing.
func (pods) ListClusterScoped(context.Context, *unstructured.UnstructuredList, labels.Selector) error {
	return nil
}

// Sync does nothing.
func (pods) Sync(context.Context) error { return nil }

// withPods is the reader that Helm 4 and Flux use.
func withPods(t *testing.T, s *timeline.Set) gate.Verdict {
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}, {Group: "apps", Version: "v1"}})
	mapper.Add(schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, meta.RESTScopeNamespace)
	mapper.Add(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "StatefulSet"}, meta.RESTScopeNamespace)
	got, err := fluxreaders.NewStatusReader(mapper).ReadStatusForObject(context.Background(), pods{s}, untyped(object(s)))
	require.NoError(t, err)
	require.NoError(t, got.Error)
	return statusAs(got.Status.String(), got.Message)
}

// argo is the health of a set.
func argo(t *testing.T, s *timeline.Set) gate.Verdict {
	got, err := health.GetResourceHealth(untyped(object(s)), nil)
	require.NoError(t, err)
	v := gate.Verdict{Status: string(got.Status), Words: got.Message}
	if got.Status == health.HealthStatusHealthy {
		v.State = gate.Done
	}
	return v
}

// text is a set in a failure.
func text(s *timeline.Set) string {
	return fmt.Sprintf("generation %d, deletion %v, %+v, %+v", s.Spec.Generation, s.Spec.Deletion, s.Spec.Spec.Strategy, s.Status)
}
