package kubectl

import (
	"encoding/json"
	"fmt"
	"time"
)

// beat is how long after the last renewal of a lease a cluster with one healthy node renews one, with some time for the
// way: kubelets renew theirs every 10 s.
const beat = 20 * time.Second

// slack is how much two clocks may differ without a word.
const slack = 2 * time.Second

// Newest returns the newest renewal in a list of leases; the zero time if there is none.
func Newest(leases []byte) time.Time {
	var list struct {
		Items []struct {
			Spec struct {
				RenewTime time.Time `json:"renewTime"`
			} `json:"spec"`
		} `json:"items"`
	}
	var newest time.Time
	if json.Unmarshal(leases, &list) == nil {
		for i := range list.Items {
			if at := list.Items[i].Spec.RenewTime; at.Compare(newest) > 0 {
				newest = at
			}
		}
	}
	return newest
}

// Clock is the clock of a cluster, as it was seen from here. The zero value is that of nothing seen.
type Clock struct {
	// Lease is the newest renewal of a node's lease; the zero time if leases cannot be read.
	Lease time.Time
	// Behind is how much the clock of the cluster is behind the one here; it is negative if it is ahead.
	Behind time.Duration
	// Known is true once it was compared with the one here, and not found to run ahead since.
	Known bool
	// At is the time in the cluster at the last look. It is never before that of an earlier one, even if the clock here
	// was set back.
	At time.Time
}

// Seen returns the clock after a look at the cluster, at an instant here, that showed objects of which the newest time
// is known. Once the clocks were compared, only a time that is still to come shows more: the clock of the cluster was
// set, or is a simulated one that runs faster, and the two are to be compared again. Two clocks that differ by less
// than a renewal takes count as equal. Without a lease only a cluster that is ahead can be told from one in which
// nothing happens.
func (c Clock) Seen(here, newest time.Time) Clock {
	compared := c.Known
	c.Known = true
	if !compared && c.Lease.Compare(newest) > 0 {
		newest = c.Lease
	}
	switch ahead := newest.Sub(here); {
	case !newest.IsZero() && ahead > -c.Behind:
		c.Known = !compared || ahead+c.Behind <= slack
		c.Behind = -ahead
	case !compared && !c.Lease.IsZero() && -ahead > beat:
		c.Behind = -ahead
	}
	if at := here.Add(-c.Behind); at.Compare(c.At) > 0 {
		c.At = at
	}
	return c
}

// Differs says in a sentence that the clocks differ; "" if they do not by more than a second or two.
func (c Clock) Differs() string {
	switch by := c.Behind.Abs().Round(time.Second); {
	case by <= slack:
		return ""
	case c.Behind > 0:
		return fmt.Sprintf("The clock of the cluster is %s behind the one here, or no kubelet works: times count by the "+
			"cluster's clock.", by)
	default:
		return fmt.Sprintf("The clock of the cluster is %s ahead of the one here: times count by the cluster's clock.", by)
	}
}
