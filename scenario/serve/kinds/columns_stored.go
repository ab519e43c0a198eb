package kinds

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// The columns of the kinds that are only stored, as a real API server prints them.

// noColumns are the columns of a kind that shows only its name and its age.
func noColumns() []Column { return nil }

// workload returns the wide columns of a kind with a template of pods.
func workload(selector func(Fields) any, path ...string) []Column {
	at := append(slices.Clip(path), "containers")
	return []Column{
		{Name: "Containers", Wide: true, cell: containersOf("name", at...)},
		{Name: "Images", Wide: true, cell: containersOf("image", at...)},
		{Name: "Selector", Wide: true, cell: selector},
	}
}

// selectorAt returns the selector at a path as a text.
func selectorAt(path ...string) func(Fields) any {
	return func(f Fields) any {
		if f.Map(path...) == nil {
			return "<none>"
		}
		s := metav1.LabelSelector{MatchLabels: f.Texts(append(slices.Clip(path), "matchLabels")...)}
		for _, need := range f.List(append(slices.Clip(path), "matchExpressions")...) {
			s.MatchExpressions = append(s.MatchExpressions, metav1.LabelSelectorRequirement{Key: need.Text("key"),
				Operator: metav1.LabelSelectorOperator(need.Text("operator")), Values: need.Words("values")})
		}
		return metav1.FormatLabelSelector(&s)
	}
}

// integerAt returns a column with the number at a path.
func integerAt(name string, path ...string) Column {
	return Column{Name: name, Type: "integer", cell: numberAt(path...)}
}

func controllerColumns() []Column {
	selector := func(f Fields) any {
		if plain := f.Texts("spec", "selector"); len(plain) > 0 && f.Map("spec", "selector", "matchLabels") == nil {
			return labels.FormatLabels(plain)
		}
		return selectorAt("spec", "selector")(f)
	}
	return append([]Column{integerAt("Desired", "spec", "replicas"), integerAt("Current", "status", "replicas"),
		integerAt("Ready", "status", "readyReplicas")}, workload(selector, "spec", "template", "spec")...)
}

func deploymentColumns() []Column {
	return append([]Column{
		{Name: "Ready", cell: func(f Fields) any {
			return fmt.Sprintf("%d/%d", f.Number("status", "readyReplicas"), f.Number("spec", "replicas"))
		}},
		{Name: "Up-to-date", cell: numberAt("status", "updatedReplicas")},
		{Name: "Available", cell: numberAt("status", "availableReplicas")},
	}, workload(selectorAt("spec", "selector"), "spec", "template", "spec")...)
}

func daemonSetColumns() []Column {
	return append([]Column{
		integerAt("Desired", "status", "desiredNumberScheduled"), integerAt("Current", "status", "currentNumberScheduled"),
		integerAt("Ready", "status", "numberReady"), integerAt("Up-to-date", "status", "updatedNumberScheduled"),
		integerAt("Available", "status", "numberAvailable"),
		{Name: "Node Selector", cell: func(f Fields) any {
			return labels.FormatLabels(f.Texts("spec", "template", "spec", "nodeSelector"))
		}},
	}, workload(selectorAt("spec", "selector"), "spec", "template", "spec")...)
}

func jobColumns() []Column {
	return append([]Column{
		{Name: "Status", cell: jobStatus}, {Name: "Completions", cell: jobCompletions},
		{Name: "Duration", cell: func(Fields) any { return "" }},
	}, workload(selectorAt("spec", "selector"), "spec", "template", "spec")...)
}

// jobStatus returns the status of a Job in one word.
func jobStatus(f Fields) any {
	is := map[string]bool{}
	for _, c := range f.List("status", "conditions") {
		is[c.Text("type")] = c.Text("status") == "True"
	}
	is["Terminating"] = f.Text("metadata", "deletionTimestamp") != ""
	for _, word := range []string{"Complete", "Failed", "Terminating", "Suspended", "FailureTarget", "SuccessCriteriaMet"} {
		if is[word] {
			return word
		}
	}
	return "Running"
}

func jobCompletions(f Fields) any {
	done := f.Number("status", "succeeded")
	if wanted := f.Text("spec", "completions"); wanted != "" {
		return fmt.Sprintf("%d/%s", done, wanted)
	}
	if at := f.Number("spec", "parallelism"); at > 1 {
		return fmt.Sprintf("%d/1 of %d", done, at)
	}
	return fmt.Sprintf("%d/1", done)
}

func cronJobColumns() []Column {
	return append([]Column{
		{Name: "Schedule", cell: at("spec", "schedule")}, {Name: "Timezone", cell: orNoneAt("spec", "timeZone")},
		{Name: "Suspend", Type: "boolean", cell: func(f Fields) any {
			return map[bool]string{true: "True", false: "False"}[f.Is("spec", "suspend")]
		}},
		{Name: "Active", Type: "integer", cell: func(f Fields) any { return int64(len(f.List("status", "active"))) }},
		{Name: "Last Schedule", cell: orNoneAt("status", "lastScheduleTime")},
	}, workload(selectorAt("spec", "jobTemplate", "spec", "selector"), "spec", "jobTemplate", "spec", "template",
		"spec")...)
}

func templateColumns() []Column {
	return []Column{
		{Name: "Containers", cell: containersOf("name", "template", "spec", "containers")},
		{Name: "Images", cell: containersOf("image", "template", "spec", "containers")},
		{Name: "Pod Labels", cell: func(f Fields) any {
			return labels.FormatLabels(f.Texts("template", "metadata", "labels"))
		}},
	}
}

func ingressColumns() []Column {
	return []Column{
		{Name: "Class", cell: orNoneAt("spec", "ingressClassName")}, {Name: "Hosts", cell: ingressHosts},
		{Name: "Address", cell: ingressAddress},
		{Name: "Ports", cell: func(f Fields) any {
			if len(f.List("spec", "tls")) > 0 {
				return "80, 443"
			}
			return "80"
		}},
	}
}

// ingressHosts returns the first hosts of an Ingress.
func ingressHosts(f Fields) any {
	const most = 3
	var list []string
	rules := f.List("spec", "rules")
	for _, rule := range rules[:min(most, len(rules))] {
		if host := rule.Text("host"); host != "" {
			list = append(list, host)
		}
	}
	text := strings.Join(list, ",")
	switch {
	case len(list) == 0:
		return "*"
	case len(rules) > most:
		return fmt.Sprintf("%s + %d more...", text, len(rules)-most)
	}
	return text
}

func ingressAddress(f Fields) any {
	var list []string
	for _, i := range f.List("status", "loadBalancer", "ingress") {
		if text := i.Text("ip") + i.Text("hostname"); text != "" {
			list = append(list, text)
		}
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), ",")
}

func ingressClassColumns() []Column {
	return []Column{{Name: "Controller", cell: at("spec", "controller")},
		{Name: "Parameters", cell: func(f Fields) any {
			p := f.Map("spec", "parameters")
			if p == nil {
				return "<none>"
			}
			return strings.TrimSuffix(p.Text("kind")+"."+p.Text("apiGroup"), ".") + "/" + p.Text("name")
		}}}
}

func policyColumns() []Column {
	return []Column{{Name: "Pod-Selector", cell: selectorAt("spec", "podSelector")}}
}

func scalerColumns() []Column {
	return []Column{
		{Name: "Reference", cell: func(f Fields) any {
			return f.Text("spec", "scaleTargetRef", "kind") + "/" + f.Text("spec", "scaleTargetRef", "name")
		}},
		{Name: "Targets", cell: scalerTargets},
		{Name: "MinPods", cell: func(f Fields) any {
			if least := f.Text("spec", "minReplicas"); least != "" {
				return least
			}
			return "<unset>"
		}},
		{Name: "MaxPods", cell: numberAt("spec", "maxReplicas")},
		{Name: "Replicas", cell: numberAt("status", "currentReplicas")},
	}
}

// scalerTargets returns the targets of a HorizontalPodAutoscaler; nothing in this cluster measures anything.
func scalerTargets(f Fields) any {
	var list []string
	for _, m := range f.List("spec", "metrics") {
		if name := m.Text("resource", "name"); name != "" {
			target, value := m.Map("resource", "target"), ""
			if value = target.Text("averageValue"); value == "" {
				value = target.Text("averageUtilization") + "%"
			}
			list = append(list, name+": <unknown>/"+value)
		}
	}
	return orNone(strings.Join(list, ", "))
}

func priorityColumns() []Column {
	return []Column{integerAt("Value", "value"),
		{Name: "Global-Default", Type: "boolean", cell: func(f Fields) any { return f.Is("globalDefault") }},
		{Name: "Age", since: true, cell: at("metadata", "creationTimestamp")},
		{Name: "PreemptionPolicy", cell: at("preemptionPolicy")}}
}

func bindingColumns() []Column {
	subjects := func(kind, between string) func(Fields) any {
		return func(f Fields) any {
			var list []string
			for _, s := range f.List("subjects") {
				if s.Text("kind") == kind && between != "" {
					list = append(list, s.Text("namespace")+between+s.Text("name"))
				} else if s.Text("kind") == kind {
					list = append(list, s.Text("name"))
				}
			}
			return strings.Join(list, ", ")
		}
	}
	return []Column{
		{Name: "Role", cell: func(f Fields) any { return f.Text("roleRef", "kind") + "/" + f.Text("roleRef", "name") }},
		{Name: "Users", Wide: true, cell: subjects("User", "")}, {Name: "Groups", Wide: true, cell: subjects("Group", "")},
		{Name: "ServiceAccounts", Wide: true, cell: subjects("ServiceAccount", "/")},
	}
}

func quotaColumns() []Column {
	used := func(limits bool) func(Fields) any {
		return func(f Fields) any {
			var list []string
			hard, used := f.Texts("status", "hard"), f.Texts("status", "used")
			for _, name := range slices.Sorted(maps.Keys(hard)) {
				if strings.HasPrefix(name, "limits.") == limits {
					list = append(list, fmt.Sprintf("%s: %s/%s", name, used[name], hard[name]))
				}
			}
			return strings.Join(list, ", ")
		}
	}
	return []Column{{Name: "Request", cell: used(false)}, {Name: "Limit", cell: used(true)}}
}

func endpointsColumns() []Column {
	return []Column{{Name: "Endpoints", cell: func(f Fields) any {
		const most = 3
		var list []string
		for _, subset := range f.List("subsets") {
			ports := subset.List("ports")
			for _, address := range subset.List("addresses") {
				if len(ports) == 0 {
					list = append(list, address.Text("ip"))
				}
				for _, port := range ports {
					list = append(list, address.Text("ip")+":"+port.Text("port"))
				}
			}
		}
		if len(list) > most {
			return fmt.Sprintf("%s + %d more...", strings.Join(list[:most], ","), len(list)-most)
		}
		return orNone(strings.Join(list, ","))
	}}}
}

func runtimeColumns() []Column { return []Column{{Name: "Handler", cell: at("handler")}} }

func webhookColumns() []Column {
	return []Column{{Name: "Webhooks", Type: "integer", cell: func(f Fields) any { return int64(len(f.List("webhooks"))) }}}
}

func validationColumns() []Column { return admissionColumns("Validations", "validations") }

func mutationColumns() []Column { return admissionColumns("Mutations", "mutations") }

func admissionColumns(name, field string) []Column {
	return []Column{
		{Name: name, Type: "integer", cell: func(f Fields) any { return int64(len(f.List("spec", field))) }},
		{Name: "ParamKind", cell: func(f Fields) any {
			if p := f.Map("spec", "paramKind"); p != nil {
				return p.Text("apiVersion") + "/" + p.Text("kind")
			}
			return "<unset>"
		}},
	}
}

func policyBindingColumns() []Column {
	return []Column{{Name: "PolicyName", cell: at("spec", "policyName")},
		{Name: "ParamRef", cell: func(f Fields) any {
			p := f.Map("spec", "paramRef")
			switch {
			case p.Text("name") == "":
				return "<unset>"
			case p.Text("namespace") == "":
				return "*/" + p.Text("name")
			}
			return p.Text("namespace") + "/" + p.Text("name")
		}}}
}

func driverColumns() []Column {
	truth := func(name, field string) Column {
		return Column{Name: name, Type: "boolean", cell: func(f Fields) any { return f.Is("spec", field) }}
	}
	return []Column{truth("AttachRequired", "attachRequired"), truth("PodInfoOnMount", "podInfoOnMount"),
		truth("StorageCapacity", "storageCapacity"),
		{Name: "TokenRequests", cell: func(f Fields) any {
			var list []string
			for _, t := range f.List("spec", "tokenRequests") {
				list = append(list, t.Text("audience"))
			}
			if list == nil {
				return "<unset>"
			}
			return strings.Join(list, ",")
		}},
		truth("RequiresRepublish", "requiresRepublish"),
		{Name: "Modes", cell: func(f Fields) any {
			return orNone(strings.Join(f.Words("spec", "volumeLifecycleModes"), ","))
		}}}
}

func csiNodeColumns() []Column {
	return []Column{{Name: "Drivers", Type: "integer", cell: func(f Fields) any {
		return int64(len(f.List("spec", "drivers")))
	}}}
}

func attachmentColumns() []Column {
	return []Column{{Name: "Attacher", Format: "name", cell: at("spec", "attacher")},
		{Name: "PV", cell: at("spec", "source", "persistentVolumeName")}, {Name: "Node", cell: at("spec", "nodeName")},
		{Name: "Attached", Type: "boolean", cell: func(f Fields) any { return f.Is("status", "attached") }}}
}

func attributesColumns() []Column { return []Column{{Name: "DriverName", cell: at("driverName")}} }
