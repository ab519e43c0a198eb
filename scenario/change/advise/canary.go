package advise

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// stages are the commands of a rollout in stages, after the new version has been applied.
func (c *Choice) stages() []string {
	key, n := c.of.key, int(c.of.wanted.Spec.Replicas)
	var lines []string
	for i, stage := range c.Schedule {
		if i > 0 {
			lines = append(lines, shell.Patch(key.Namespace, "statefulset", key.Name,
				fmt.Sprintf(`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}}}}`, stage.Partition)))
		}
		for _, wait := range []string{
			fmt.Sprintf("--for=jsonpath={.status.updatedReplicas}=%d", n-int(stage.Partition)),
			fmt.Sprintf("--for=jsonpath={.status.availableReplicas}=%d", n),
		} {
			lines = append(lines, shell.In(key.Namespace, "wait", "statefulset/"+key.Name, wait, shell.NoTimeout))
		}
		if stage.Pause > 0 && i+1 < len(c.Schedule) {
			lines = append(lines, shell.Noted(shell.Line("sleep", fmt.Sprint(int(time.Duration(stage.Pause).Seconds()))),
				"then look: all new pods are Ready, none has restarted in "+render.Brief(time.Duration(stage.Pause))))
		}
	}
	return lines
}
