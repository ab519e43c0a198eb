package worlds_test

import "strconv"

// faults draws what goes wrong.
func (d *draw) faults() list {
	var faults list
	for range d.number("faults", 1, 3) {
		faults = append(faults, d.fault())
	}
	return faults
}

func (d *draw) fault() object {
	fault := object{}
	switch d.number("trigger", 0, 3) {
	case 0:
		fault["at"] = strconv.Itoa(d.number("at", 0, 60)) + "s"
	case 1:
		fault["pod"] = d.pick("pod", "*-1", "*-0@2", "web-*", "*=app:v2") + " " +
			d.pick("state", "Ready", "Running", "Pending", "Terminating", "Gone", "Unready", "Failed", "*")
	default:
		fault["write"] = d.write()
		if d.rare("error", 2) {
			fault["error"] = d.pick("error", "Conflict", "Timeout", "InternalError", "Forbidden", "TooManyRequests", "NotFound",
				"AlreadyExists", "Invalid")
			d.some(fault, "message", 6, one(d, "message", "a drawn error"))
		} else if d.rare("lost", 3) {
			fault["loseAnswer"] = true
		}
	}
	if fault["error"] == nil && fault["loseAnswer"] == nil {
		d.act(fault)
		delete(fault, "refused")
	}
	if fault["at"] == nil {
		d.some(fault, "times", 3, one[any](d, "times", 2, 5, "always"))
	}
	d.some(fault, "chance", 4, one(d, "chance", 0.5, 0.2, 1.0))
	return fault
}

func (d *draw) write() object {
	write := object{}
	d.some(write, "verb", 2, one(d, "verb", "create", "delete", "status", "update", "any"))
	d.some(write, "kind", 3, one(d, "kind", "pod", "claim", "revision", "statefulset", "any"))
	d.some(write, "name", 5, one(d, "name", "web-1", "*-0", "web*"))
	d.some(write, "nth", 2, d.integer("nth", 1, 5))
	return write
}
