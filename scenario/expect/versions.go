package expect

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// version is a version of Kubernetes. A missing patch is noPatch.
type version struct{ major, minor, patch int }

// noPatch means, in the version of a run, the newest patch of the minor, in a bound all. It is above each real patch.
const noPatch = 1 << 16

// String renders the version as a scenario writes it: without a patch if it means a whole minor.
func (v version) String() string {
	if v.patch == noPatch {
		return fmt.Sprintf("%d.%d", v.major, v.minor)
	}
	return fmt.Sprintf("%d.%d.%d", v.major, v.minor, v.patch)
}

// compare orders a version against a bound: below 0 if it is older. A bound without a patch means the whole minor,
// so each of its patches equals it.
func (v version) compare(bound version) int {
	order := cmp.Or(cmp.Compare(v.major, bound.major), cmp.Compare(v.minor, bound.minor))
	if order == 0 && bound.patch != noPatch {
		return cmp.Compare(v.patch, bound.patch)
	}
	return order
}

// parseVersion reads MAJOR.MINOR or MAJOR.MINOR.PATCH, with or without a v before it.
func parseVersion(text string) (version, bool) {
	parts := strings.Split(strings.TrimPrefix(text, "v"), ".")
	if len(parts) < 2 || len(parts) > 3 {
		return version{}, false
	}
	numbers := []int{0, 0, noPatch}
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return version{}, false
		}
		numbers[i] = int(n)
	}
	return version{numbers[0], numbers[1], numbers[2]}, true
}

// versionRange is a list of bounds, all of which must hold: ">=1.35.0 <1.35.4". No bounds allow every version.
type versionRange []bound

// bound is one comparison; op "" is equality, as are = and ==.
type bound struct {
	op string
	of version
}

// contains reports whether the version is within all bounds.
func (r versionRange) contains(v version) bool {
	for _, b := range r {
		if !b.holds(v.compare(b.of)) {
			return false
		}
	}
	return true
}

// holds reports whether a version that is ordered so against the bound is within it.
func (b bound) holds(order int) bool {
	switch b.op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	case "!=":
		return order != 0
	}
	return order == 0
}

// versionOps are the operators. An operator that is a prefix of others comes after them.
var versionOps = []string{"<=", ">=", "!=", "==", "<", ">", "="}

// parseRange reads consecutive bounds, with or without a space after the operator.
func parseRange(text string) (versionRange, error) {
	var r versionRange
	op := ""
	for _, word := range strings.Fields(text) {
		for _, candidate := range versionOps {
			if rest, found := strings.CutPrefix(word, candidate); found && op == "" {
				op, word = candidate, rest
			}
		}
		if word == "" {
			continue
		}
		v, ok := parseVersion(word)
		if !ok {
			return nil, fmt.Errorf("%q is not a version of Kubernetes", word)
		}
		r = append(r, bound{op, v})
		op = ""
	}
	if len(r) == 0 || op != "" {
		return nil, fmt.Errorf("%q is not a range of versions", text)
	}
	return r, nil
}

// versions reads the version range of an expectation; nil, all versions, if there is none. It also accepts 1.36, which
// YAML reads as a number.
func (c *compiler) versions(n *yaml.Node) versionRange {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.ScalarNode {
		c.reader.String(n, "kubernetes")
		return nil
	}
	r, err := parseRange(n.Value)
	if err != nil {
		c.reader.Problem(n, err.Error(), `write bounds like ">=1.35.0 <1.35.4"`)
	}
	return r
}
