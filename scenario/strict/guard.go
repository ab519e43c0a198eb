package strict

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// guard measures documents as they would be with all aliases written out, without writing them out: a few lines can
// represent 10⁹ values.
type guard struct {
	file   string
	limits Limits
	// faster is the advice for a large file, see faster.
	faster string
	// sizes are the nodes measured so far that may be met again, each once, so that measuring takes time in the
	// size of the file: nodes with an anchor, and all if every is set. total is the sum over the documents, and
	// copied the sum over the nodes that exist only through aliases.
	sizes         map[*yaml.Node]extent
	every         bool
	total, copied int64
	// problem is the first thing that cannot be measured.
	problem *Problem
}

// extent is the number of nodes of a tree, how many of them only aliases make, and its height; a single value has the
// size and the height 1. An extent of size 0 is one still being measured.
type extent struct {
	size, copied int64
	height       int
}

// check measures a document and returns what is wrong with it, or nil. After it no node contains itself.
func (g *guard) check(doc *yaml.Node) *Problem {
	extent := g.measure(doc.Content[0])
	if g.problem != nil {
		return g.problem
	}
	if extent.height > g.limits.Depth {
		p := at(g.file, g.descend(doc.Content[0]), fmt.Sprintf("the nesting is deeper than %d", g.limits.Depth),
			"nest less, or raise the limit with --max-depth")
		return &p
	}
	g.total += extent.size
	if g.total > g.limits.Nodes {
		p := at(g.file, doc.Content[0], fmt.Sprintf("the file has more than %d values when its aliases are written out",
			g.limits.Nodes), "make it smaller, or raise the limit with --max-nodes"+g.faster)
		return &p
	}
	if g.copied += extent.copied; g.copied > g.limits.copies() {
		p := at(g.file, doc.Content[0], fmt.Sprintf("the aliases of the file stand for more than %d values",
			g.limits.copies()), "make it smaller, or raise the limit with --max-nodes")
		return &p
	}
	return nil
}

// measure returns the extent of a tree. Meeting a node that is still being measured means that an alias contains
// itself. The recursion is as deep as the file is nested, which the parser of yaml.v3 bounds.
func (g *guard) measure(n *yaml.Node) extent {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if known, ok := g.sizes[n]; ok {
		if known.size == 0 && g.problem == nil {
			p := at(g.file, n, "an alias refers to a value that contains it", "write the value out")
			g.problem = &p
		}
		return known
	}
	noted := g.every || n.Anchor != ""
	if noted {
		g.sizes[n] = extent{}
	}
	total := extent{size: 1, height: 1}
	for _, child := range n.Content {
		e := g.measure(child)
		if child.Kind == yaml.AliasNode {
			e.copied = e.size
		}
		// Sizes are cut off above the limit, so that they cannot overflow however often aliases double them.
		total.size = min(total.size+e.size, g.limits.Nodes+1)
		total.copied = min(total.copied+e.copied, g.limits.Nodes+1)
		total.height = max(total.height, e.height+1)
	}
	if noted {
		g.sizes[n] = total
	}
	return total
}

// descend returns the first node below the limit of depth on the deepest path.
func (g *guard) descend(n *yaml.Node) *yaml.Node {
	g.every, g.sizes = true, map[*yaml.Node]extent{}
	g.measure(n)
	for range g.limits.Depth {
		for _, child := range n.Content {
			for child.Kind == yaml.AliasNode {
				child = child.Alias
			}
			if g.sizes[child].height == g.sizes[n].height-1 {
				n = child
				break
			}
		}
	}
	return n
}
