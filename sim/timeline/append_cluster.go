package timeline

// appendNode appends the whole state of a node, false values too.
func appendNode(o *object, n *Node) {
	o.key("nodeState")
	o.open()
	o.text("zone", n.Zone)
	o.boolean("up", n.Up)
	o.boolean("ready", n.Ready)
	o.boolean("cordoned", n.Cordoned)
	o.boolean("outOfService", n.OutOfService)
	o.boolean("unreachable", n.Unreachable)
	o.boolean("deleted", n.Deleted)
	o.close()
}

// appendBudget appends the status of a budget with the API's names, zeros too.
func appendBudget(o *object, b *Budget) {
	o.key("budget")
	o.open()
	o.text("namespace", b.Namespace)
	o.text("name", b.Name)
	o.always("disruptionsAllowed", int64(b.Allowed))
	o.always("currentHealthy", int64(b.Healthy))
	o.always("desiredHealthy", int64(b.Desired))
	o.always("expectedPods", int64(b.Expected))
	o.close()
}

// nodeLine and budgetLine have the fields of Node and Budget in the same order, so that they can be converted.
type nodeLine struct {
	Zone         string `json:"zone"`
	Up           bool   `json:"up"`
	Ready        bool   `json:"ready"`
	Cordoned     bool   `json:"cordoned"`
	OutOfService bool   `json:"outOfService"`
	Unreachable  bool   `json:"unreachable"`
	Deleted      bool   `json:"deleted"`
}

type budgetLine struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Allowed   int32  `json:"disruptionsAllowed"`
	Healthy   int32  `json:"currentHealthy"`
	Desired   int32  `json:"desiredHealthy"`
	Expected  int32  `json:"expectedPods"`
}
