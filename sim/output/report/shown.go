package report

// What other forms of a report take over from this package as text. The text may hold what a user wrote.

// Grid returns the comparison as a table: its header, and a row for each run.
func (c *Comparison) Grid() (header []string, rows [][]string) {
	g := c.variantGrid()
	return g.Header, g.Rows
}

// Alike says in sentences which of the runs behave alike.
func (c *Comparison) Alike() []string { return c.alike() }

// Sentences returns the differences that make the second run do what it does.
func (d *Parting) Sentences() []string {
	var list []string
	for i := range d.Causes {
		list = append(list, d.Sentence(&d.Causes[i]))
	}
	return list
}
