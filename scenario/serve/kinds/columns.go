package kinds

import (
	"cmp"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/duration"
)

// Column is a column of kubectl get. Those that are wide are printed with -o wide.
type Column struct {
	Name string
	Wide bool
	// Type is the type of the cells, "" for a text, and Format the format of a text.
	Type, Format string
	cell         func(Fields) any
	// since is true if the cell is a time, printed as an age.
	since bool
}

// Fields are the fields of an object, as in its JSON.
type Fields map[string]any

// Clone copies fields down to the metadata, for a new version of an object.
func Clone(fields Fields) Fields {
	fields = maps.Clone(fields)
	fields["metadata"] = maps.Clone(map[string]any(fields.Map("metadata")))
	return fields
}

// Text returns the text at a path, "" without one.
func (f Fields) Text(path ...string) string {
	v, found, _ := unstructured.NestedFieldNoCopy(f, path...)
	if !found || v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// Number returns the number at a path, 0 without one.
func (f Fields) Number(path ...string) int64 {
	n, _, _ := unstructured.NestedInt64(f, path...)
	return n
}

// Is reports whether the boolean at a path is true.
func (f Fields) Is(path ...string) bool {
	is, _, _ := unstructured.NestedBool(f, path...)
	return is
}

// List returns the objects of the list at a path.
func (f Fields) List(path ...string) []Fields {
	v, _, _ := unstructured.NestedFieldNoCopy(f, path...)
	list, _ := v.([]any)
	var items []Fields
	for _, item := range list {
		if fields, is := item.(map[string]any); is {
			items = append(items, fields)
		}
	}
	return items
}

// Words returns the texts of the list at a path.
func (f Fields) Words(path ...string) []string {
	words, _, _ := unstructured.NestedStringSlice(f, path...)
	return words
}

// Map returns the fields at a path; nil without any.
func (f Fields) Map(path ...string) Fields {
	m, _, _ := unstructured.NestedFieldNoCopy(f, path...)
	fields, _ := m.(map[string]any)
	return fields
}

// Texts returns the map of texts at a path, labels say, as a new map.
func (f Fields) Texts(path ...string) map[string]string {
	texts, _, _ := unstructured.NestedStringMap(f, path...)
	return texts
}

// all returns the columns of the kind.
func (k *Kind) all() []Column {
	if k.columns == nil {
		return nil
	}
	return k.columns()
}

// Definitions returns the columns of the kind's table.
func (k *Kind) Definitions() []metav1.TableColumnDefinition {
	list := []metav1.TableColumnDefinition{{Name: "Name", Type: "string", Format: "name"}}
	for _, c := range k.all() {
		d := metav1.TableColumnDefinition{Name: c.Name, Type: cmp.Or(c.Type, "string"), Format: c.Format}
		if c.Wide {
			d.Priority = 1
		}
		list = append(list, d)
	}
	switch {
	case k == Event:
		return list[1:]
	case k.columns == nil && k.Schema == nil:
		return append(list, metav1.TableColumnDefinition{Name: "Created At", Type: "date"})
	case !k.aged():
		return list
	}
	return append(list[:ageAt(k)], append([]metav1.TableColumnDefinition{{Name: "Age", Type: "string"}},
		list[ageAt(k):]...)...)
}

// ageAt returns the place of the column AGE: before the wide ones.
func ageAt(k *Kind) int {
	at := 1
	for _, c := range k.all() {
		if !c.Wide {
			at++
		}
	}
	return at
}

// Cells returns the row of an object, at an instant.
func (k *Kind) Cells(f Fields, now time.Time) []any {
	cells := []any{f.Text("metadata", "name")}
	for _, c := range k.all() {
		cell := c.cell(f)
		if text, is := cell.(string); is && c.since {
			cell = Age(text, now)
		}
		cells = append(cells, cell)
	}
	switch {
	case k == Event:
		cells[1], cells[8] = eventAges(f, now)
		return cells[1:]
	case k.columns == nil && k.Schema == nil:
		return append(cells, f.Text("metadata", "creationTimestamp"))
	case !k.aged():
		return cells
	}
	age := Age(f.Text("metadata", "creationTimestamp"), now)
	return append(cells[:ageAt(k)], append([]any{age}, cells[ageAt(k):]...)...)
}

// aged reports whether the kind has the column AGE by default: a definition that names any columns names them all.
func (k *Kind) aged() bool {
	return k != Definition && k != Node &&
		k.Kind != "PodTemplate" && k.Kind != "PriorityClass" && (k.Schema == nil || k.columns == nil)
}

func itoa(n int) string { return strconv.Itoa(n) }

func definitionColumns() []Column {
	return []Column{{Name: "Created At", cell: at("metadata", "creationTimestamp")}}
}

// Age returns how long ago a time was, as kubectl prints it.
func Age(at string, now time.Time) string {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return "<unknown>"
	}
	return duration.HumanDuration(now.Sub(t))
}

func orNone(text string) string {
	if text == "" {
		return "<none>"
	}
	return text
}

func at(path ...string) func(Fields) any { return func(f Fields) any { return f.Text(path...) } }

func orNoneAt(path ...string) func(Fields) any {
	return func(f Fields) any { return orNone(f.Text(path...)) }
}

func countAt(path ...string) func(Fields) any {
	return func(f Fields) any { return int64(len(f.Map(path...))) }
}

func numberAt(path ...string) func(Fields) any {
	return func(f Fields) any { return f.Number(path...) }
}

// containersOf returns one field of the containers of a pod's spec, with commas.
func containersOf(field string, path ...string) func(Fields) any {
	return func(f Fields) any {
		var words []string
		for _, c := range f.List(path...) {
			words = append(words, c.Text(field))
		}
		return strings.Join(words, ",")
	}
}

func configMapColumns() []Column {
	return []Column{{Name: "Data", cell: countAt("data")}}
}

func secretColumns() []Column {
	return []Column{{Name: "Type", cell: at("type")}, {Name: "Data", cell: countAt("data")}}
}

func phaseColumns() []Column {
	return []Column{{Name: "Status", cell: at("status", "phase")}}
}

func leaseColumns() []Column {
	return []Column{{Name: "Holder", cell: at("spec", "holderIdentity")}}
}

func eventColumns() []Column {
	return []Column{
		{Name: "Last Seen", cell: func(Fields) any { return "" }},
		{Name: "Type", cell: at("type")}, {Name: "Reason", cell: at("reason")},
		{Name: "Object", cell: func(f Fields) any {
			return strings.ToLower(f.Text("involvedObject", "kind")) + "/" + f.Text("involvedObject", "name")
		}},
		{Name: "Subobject", Wide: true, cell: at("involvedObject", "fieldPath")},
		{Name: "Source", Wide: true, cell: eventSource},
		{Name: "Message", cell: func(f Fields) any { return strings.TrimSpace(f.Text("message")) }},
		{Name: "First Seen", Wide: true, cell: func(Fields) any { return "" }},
		{Name: "Count", Wide: true, cell: func(f Fields) any {
			return cmp.Or(f.Number("series", "count"), f.Number("count"), 1)
		}},
		{Name: "Name", Wide: true, Format: "name", cell: at("metadata", "name")},
	}
}

// eventSource returns the reporter of an event.
func eventSource(f Fields) any {
	who, where := f.Text("source", "component"), f.Text("source", "host")
	if who == "" {
		who, where = f.Text("reportingComponent"), f.Text("reportingInstance")
	}
	if where != "" {
		who += ", " + where
	}
	return who
}

// eventAges returns how long ago an event was seen last and first.
func eventAges(f Fields, now time.Time) (last, first string) {
	first = Age(cmp.Or(f.Text("firstTimestamp"), f.Text("eventTime")), now)
	last = first
	if at := cmp.Or(f.Text("series", "lastObservedTime"), f.Text("lastTimestamp")); at != "" {
		last = Age(at, now)
	}
	return last, first
}

func claimColumns() []Column {
	return []Column{
		{Name: "Status", cell: func(f Fields) any {
			if f.Text("metadata", "deletionTimestamp") != "" {
				return "Terminating"
			}
			return f.Text("status", "phase")
		}},
		{Name: "Volume", cell: at("spec", "volumeName")}, {Name: "Capacity", cell: at("status", "capacity", "storage")},
		{Name: "Access Modes", cell: modesAt("status", "accessModes")}, {Name: "StorageClass", cell: at("spec",
			"storageClassName")},
		{Name: "VolumeAttributesClass", cell: func(f Fields) any {
			if class := f.Text("spec", "volumeAttributesClassName"); class != "" {
				return class
			}
			return "<unset>"
		}},
		{Name: "VolumeMode", Wide: true, cell: at("spec", "volumeMode")},
	}
}

func volumeColumns() []Column {
	return []Column{
		{Name: "Capacity", cell: at("spec", "capacity", "storage")}, {Name: "Access Modes", cell: modesAt("spec",
			"accessModes")},
		{Name: "Reclaim Policy", cell: at("spec", "persistentVolumeReclaimPolicy")}, {Name: "Status", cell: at("status",
			"phase")},
		{Name: "Claim", cell: func(f Fields) any {
			if claim := f.Map("spec", "claimRef"); claim != nil {
				return claim.Text("namespace") + "/" + claim.Text("name")
			}
			return ""
		}},
		{Name: "StorageClass", cell: at("spec", "storageClassName")},
		{Name: "VolumeAttributesClass", cell: func(f Fields) any {
			return cmp.Or(f.Text("spec", "volumeAttributesClassName"), "<unset>")
		}},
		{Name: "Reason", cell: at("status", "reason")},
		{Name: "VolumeMode", Wide: true, cell: func(f Fields) any { return cmp.Or(f.Text("spec", "volumeMode"), "<unset>") }},
	}
}

func classColumns() []Column {
	return []Column{
		{Name: "Provisioner", cell: at("provisioner")}, {Name: "ReclaimPolicy", cell: at("reclaimPolicy")},
		{Name: "VolumeBindingMode", cell: at("volumeBindingMode")},
		{Name: "AllowVolumeExpansion", cell: func(f Fields) any { return f.Is("allowVolumeExpansion") }},
	}
}

func revisionColumns() []Column {
	return []Column{
		{Name: "Controller", cell: func(f Fields) any {
			for _, owner := range f.List("metadata", "ownerReferences") {
				if owner.Is("controller") {
					return "statefulset.apps/" + owner.Text("name")
				}
			}
			return "<none>"
		}},
		{Name: "Revision", cell: numberAt("revision")},
	}
}

func setColumns() []Column {
	return []Column{
		{Name: "Ready", cell: func(f Fields) any {
			return fmt.Sprintf("%d/%d", f.Number("status", "readyReplicas"), f.Number("spec", "replicas"))
		}},
		{Name: "Containers", Wide: true, cell: containersOf("name", "spec", "template", "spec", "containers")},
		{Name: "Images", Wide: true, cell: containersOf("image", "spec", "template", "spec", "containers")},
	}
}

func budgetColumns() []Column {
	return []Column{
		{Name: "Min Available", cell: orNotAt("spec", "minAvailable")},
		{Name: "Max Unavailable", cell: orNotAt("spec", "maxUnavailable")},
		{Name: "Allowed Disruptions", Type: "integer", cell: numberAt("status", "disruptionsAllowed")},
	}
}

func nodeColumns() []Column {
	return []Column{
		{Name: "Status", cell: nodeStatus}, {Name: "Roles", cell: func(Fields) any { return "<none>" }},
		{Name: "Age", since: true, cell: at("metadata", "creationTimestamp")},
		{Name: "Version", cell: at("status", "nodeInfo", "kubeletVersion")},
		{Name: "Internal-IP", Wide: true, cell: func(f Fields) any {
			for _, address := range f.List("status", "addresses") {
				return address.Text("address")
			}
			return "<none>"
		}},
		{Name: "External-IP", Wide: true, cell: func(Fields) any { return "<none>" }},
		{Name: "OS-Image", Wide: true, cell: orUnknown("status", "nodeInfo", "osImage")},
		{Name: "Kernel-Version", Wide: true, cell: orUnknown("status", "nodeInfo", "kernelVersion")},
		{Name: "Container-Runtime", Wide: true, cell: orUnknown("status", "nodeInfo", "containerRuntimeVersion")},
	}
}

// orUnknown is a cell that kubectl shows as unknown where there is nothing.
func orUnknown(path ...string) func(Fields) any {
	return func(f Fields) any { return cmp.Or(f.Text(path...), "<unknown>") }
}

func serviceColumns() []Column {
	return []Column{
		{Name: "Type", cell: at("spec", "type")}, {Name: "Cluster-IP", cell: orNoneAt("spec", "clusterIP")},
		{Name: "External-IP", cell: orNoneAt("spec", "externalName")}, {Name: "Port(s)", cell: servicePorts},
		{Name: "Selector", Wide: true, cell: func(f Fields) any {
			return orNone(metav1.FormatLabelSelector(&metav1.LabelSelector{MatchLabels: f.Texts("spec", "selector")}))
		}},
	}
}

func sliceColumns() []Column {
	return []Column{
		{Name: "AddressType", cell: at("addressType")},
		{Name: "Ports", cell: containersOf("port", "ports")},
		{Name: "Endpoints", cell: func(f Fields) any {
			var all []string
			for _, endpoint := range f.List("endpoints") {
				all = append(all, endpoint.Words("addresses")...)
			}
			return orNone(strings.Join(all, ","))
		}},
	}
}

func podColumns() []Column {
	return []Column{
		{Name: "Ready", cell: podReady}, {Name: "Status", cell: podStatus}, {Name: "Restarts", cell: podRestarts},
		{Name: "IP", Wide: true, cell: orNoneAt("status", "podIP")}, {Name: "Node", Wide: true, cell: orNoneAt("spec",
			"nodeName")},
		{Name: "Nominated Node", Wide: true, cell: orNoneAt("status", "nominatedNodeName")},
		{Name: "Readiness Gates", Wide: true, cell: func(Fields) any { return "<none>" }},
	}
}

func orNotAt(path ...string) func(Fields) any {
	return func(f Fields) any {
		if text := f.Text(path...); text != "" {
			return text
		}
		return "N/A"
	}
}

// modesAt returns access modes as kubectl shortens them.
func modesAt(path ...string) func(Fields) any {
	short := strings.NewReplacer("ReadWriteOncePod", "RWOP", "ReadWriteOnce", "RWO", "ReadOnlyMany", "ROX",
		"ReadWriteMany", "RWX")
	return func(f Fields) any { return short.Replace(strings.Join(f.Words(path...), ",")) }
}

func nodeStatus(f Fields) any {
	word := "NotReady"
	for _, c := range f.List("status", "conditions") {
		if c.Text("type") == "Ready" && c.Text("status") == "True" {
			word = "Ready"
		}
	}
	if f.Is("spec", "unschedulable") {
		word += ",SchedulingDisabled"
	}
	return word
}

func servicePorts(f Fields) any {
	var words []string
	for _, port := range f.List("spec", "ports") {
		words = append(words, port.Text("port")+"/"+port.Text("protocol"))
	}
	return orNone(strings.Join(words, ","))
}

func podReady(f Fields) any {
	ready := 0
	for _, c := range f.List("status", "containerStatuses") {
		if c.Is("ready") {
			ready++
		}
	}
	return fmt.Sprintf("%d/%d", ready, len(f.List("spec", "containers")))
}

func podRestarts(f Fields) any {
	restarts := int64(0)
	for _, c := range f.List("status", "containerStatuses") {
		restarts += c.Number("restartCount")
	}
	return strconv.FormatInt(restarts, 10)
}

// podStatus returns the word that kubectl get pods shows as STATUS: the reason of a waiting or terminated container
// rather than the phase.
func podStatus(f Fields) any {
	word := f.Text("status", "phase")
	if reason := f.Text("status", "reason"); reason != "" {
		word = reason
	}
	inits := f.List("status", "initContainerStatuses")
	for i, c := range inits {
		if c.Is("started") || c.Text("state", "terminated", "reason") == "Completed" {
			continue
		}
		word = fmt.Sprintf("Init:%d/%d", i, len(f.List("spec", "initContainers")))
		if reason := c.Text("state", "waiting", "reason"); reason != "" && reason != "PodInitializing" {
			word = "Init:" + reason
		}
		break
	}
	for _, c := range f.List("status", "containerStatuses") {
		switch waits, ended := c.Text("state", "waiting", "reason"), c.Text("state", "terminated", "reason"); {
		case strings.HasPrefix(word, "Init:"):
		case waits != "":
			word = waits
		case ended != "":
			word = ended
		}
	}
	if f.Text("metadata", "deletionTimestamp") != "" {
		return "Terminating"
	}
	return word
}
