package request

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"maps"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	yamlv3 "gopkg.in/yaml.v3"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/yaml"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/schema"
)

// A request has one budget, largest, for the bytes of its body and of every form that is made from it: with its
// aliases and merge keys written out, with its patch applied, with the defaults of its schema. A form that is too
// large is refused before it is made. mostValues limits the number of small values, which take more memory than
// text.
const (
	// Largest is the size of the largest body that is read, as in a real API server, and of the largest object.
	Largest = 3 << 20
	// mostValues is how many values a body may have.
	mostValues = 50_000
	// mostOperations is how many operations a JSON patch may have, and mostCopied how many bytes its copy
	// operations may add, as in a real API server.
	mostOperations, mostCopied = 10_000, Largest
	// mostMoves is how many elements of lists a patch may move or compare: operations, or elements of its own, times
	// elements of the object.
	mostMoves = 20_000_000
	// MostCompared is how many comparisons the schema of a custom resource may take.
	MostCompared = 20_000_000
)

func init() { jsonpatch.AccumulatedCopySizeLimit = mostCopied }

// TooLarge is the answer to a request that is over the budget.
func TooLarge(format string, args ...any) error {
	return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf(format, args...))
}

// affordable is the error of a JSON text that is over the budget.
func affordable(data []byte) error {
	if len(data) > Largest {
		return TooLarge("limit is %d", Largest)
	}
	if values := commas(data, nil) + 1; values > mostValues {
		return TooLarge("the body has more than %d values", mostValues)
	}
	return nil
}

// commas counts the commas of a JSON text outside of its strings: one less than the values that it has at least. Those
// in lists are added to inLists, unless that is nil.
func commas(data []byte, inLists *int) int {
	n, open := 0, []byte(nil)
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			if inLists != nil {
				open = append(open, c)
			}
		case ']', '}':
			open = open[:max(0, len(open)-1)]
		case ',':
			if n++; len(open) > 0 && open[len(open)-1] == '[' {
				*inLists++
			}
		}
	}
	return n
}

// elements returns about how many elements the lists of a JSON text have.
func elements(data []byte) int {
	n := 1
	commas(data, &n)
	return n
}

// fromYAML returns a YAML text as JSON.
func fromYAML(data []byte) ([]byte, error) {
	err := error(nil)
	if bytes.ContainsRune(data, '*') { // Only an alias can make a text longer when it is expanded.
		err = writtenOut(data)
	}
	if err == nil {
		data, err = yaml.YAMLToJSON(data)
	}
	if err != nil && !apierrors.IsRequestEntityTooLargeError(err) {
		err = apierrors.NewBadRequest("error converting YAML to JSON: " + err.Error())
	}
	return data, err
}

// writtenOut is the error of a YAML text that is over the budget once its aliases and merge keys are written out.
func writtenOut(data []byte) error {
	var doc yamlv3.Node
	if err := yamlv3.Unmarshal(data, &doc); err != nil {
		return err
	}
	sizes := map[*yamlv3.Node]int{}
	var size func(n *yamlv3.Node) int
	size = func(n *yamlv3.Node) int {
		for n.Kind == yamlv3.AliasNode {
			n = n.Alias
		}
		if known, is := sizes[n]; is {
			return known
		}
		if n.Anchor != "" {
			sizes[n] = Largest + 1 // While it is measured: an alias in it would never end.
		}
		total := len(n.Value) + len(`"",`)
		for _, inner := range n.Content {
			total = min(total+size(inner), Largest+1)
		}
		if n.Anchor != "" {
			sizes[n] = total
		}
		return total
	}
	if size(&doc) > Largest {
		return TooLarge("with its aliases written out the body is larger than %d", Largest)
	}
	return nil
}

// Fits is the error of fields that are over the budget.
func Fits(fields map[string]any) error {
	if schema.Size(fields, Largest) > Largest {
		return TooLarge("the object is larger than %d", Largest)
	}
	return nil
}

// mostData is how many bytes the values of a ConfigMap or a Secret may have together, as in a real API server.
const mostData = 1 << 20

// TooLong is a real API server's error for an object with too many annotations, or too much data.
func TooLong(kind *kinds.Kind, fields kinds.Fields) field.ErrorList {
	var errs field.ErrorList
	if Marked[kind] && apivalidation.ValidateAnnotationsSize(fields.Texts("metadata", "annotations")) != nil {
		errs = append(errs, field.TooLong(field.NewPath("metadata", "annotations"), "",
			apivalidation.TotalAnnotationSizeLimitB))
	}
	size, at := 0, field.NewPath("")                       // As a real one words it.
	for _, value := range maps.All(fields.Texts("data")) { // In any order.
		size += len(value)
	}
	for _, value := range maps.All(fields.Texts("binaryData")) {
		size += base64.StdEncoding.DecodedLen(len(value))
	}
	if kind == kinds.Secret {
		size, at = base64.StdEncoding.DecodedLen(size), field.NewPath("data")
	}
	if (kind == kinds.ConfigMap || kind == kinds.Secret) && size > mostData {
		errs = append(errs, field.TooLong(at, "", mostData))
	}
	return errs
}

// mayMove is the error of a patch that would compare or move too many elements of lists.
func mayMove(patch int, object []byte) error {
	if n := elements(object); patch > mostMoves/n {
		return TooLarge("the patch compares or moves more than %d elements of lists", mostMoves)
	}
	return nil
}

// decodedPatch decodes a JSON patch.
func decodedPatch(patch, object []byte) (jsonpatch.Patch, error) {
	decoded, err := jsonpatch.DecodePatch(patch)
	if err != nil {
		// The type has another name there.
		return nil, fmt.Errorf("error decoding patch: %s", strings.Replace(err.Error(), "jsonpatch.Patch",
			"[]handlers.jsonPatchOp", 1))
	}
	if n := len(decoded); n > mostOperations {
		return nil, TooLarge("The allowed maximum operations in a JSON patch is %d, got %d", mostOperations, n)
	}
	return decoded, mayMove(len(decoded), object)
}

// Marked are the kinds whose own validation looks at names, labels and annotations.
var Marked = map[*kinds.Kind]bool{kinds.StatefulSet: true, kinds.Pod: true, kinds.Claim: true, kinds.Budget: true,
	kinds.Service: true}
