package strict

import "fmt"

// TooMany returns the problem of a JSON text with more values than the limit, before anything is built from it; nil
// if it has fewer. Values are counted by the commas between them.
func TooMany(file string, data []byte, limits Limits) *Problem {
	most := limits.OrDefault().Nodes
	if int64(len(data)) <= most || commas(data) < most {
		return nil
	}
	return &Problem{File: file, What: fmt.Sprintf("the file has more than %d values", most),
		Want: "make it smaller, or raise the limit with --max-nodes"}
}

// commas counts the commas of a JSON text outside of its strings.
func commas(data []byte) (n int64) {
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case ',':
			n++
		}
	}
	return n
}
