package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// FormatVersion is the version of the JSON documents that sim prints, as their first field states it. It grows when a
// field goes away or changes its meaning; a field that is added leaves it as it is. It is not the version of the
// timeline's format.
const FormatVersion = 1

// JSON writes a document for programs: the object that document encodes as, indented, with formatVersion as its first
// field. A document must not have a field of that name, and must encode as an object; if it does not, JSON panics.
func JSON(w io.Writer, document any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(document); err != nil {
		return fmt.Errorf("the report as JSON: %w", err)
	}
	fields, isObject := bytes.CutPrefix(b.Bytes(), []byte("{"))
	if !isObject {
		panic(fmt.Sprintf("page: a %T does not encode as an object", document))
	}
	head := fmt.Sprintf("{\n  \"formatVersion\": %d,", FormatVersion)
	if bytes.HasPrefix(fields, []byte("}")) {
		head = head[:len(head)-1] + "\n"
	}
	if _, err := io.WriteString(w, head); err != nil {
		return err
	}
	_, err := w.Write(fields)
	return err
}
