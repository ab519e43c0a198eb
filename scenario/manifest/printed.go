package manifest

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// printed returns the words of versions before 1.34, by those of later ones: they show a value of several fields as Go
// prints it, and name the part that an owner lacks.
func printed(errs field.ErrorList) map[string]string {
	words := map[string]string{}
	for _, err := range errs {
		words[err.Error()] = printedError(err)
	}
	return words
}

// printedError returns an error in the words of versions before 1.34.
func printedError(err *field.Error) string {
	if part, is := strings.CutPrefix(err.Field, "metadata.ownerReferences."); is && err.Detail == "must not be empty" {
		return fmt.Sprintf("%s: Invalid value: \"\": %s must not be empty", err.Field, part)
	}
	value := reflect.ValueOf(err.BadValue)
	if value.Kind() == reflect.Pointer && !value.IsNil() {
		value = value.Elem()
	}
	if kind := value.Kind(); kind != reflect.Struct && kind != reflect.Slice && kind != reflect.Map {
		return err.Error()
	}
	shown := typesOfAPI.Replace(addresses().ReplaceAllString(fmt.Sprintf("%#v", value.Interface()), "(0x…)"))
	text := fmt.Sprintf("%s: Invalid value: %s", err.Field, shown)
	if err.Detail != "" {
		text += ": " + err.Detail
	}
	return text
}

// addresses finds the addresses that Go prints, which differ from run to run on a real API server, and are an ellipsis here.
var addresses = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(0x[0-9a-f]+\)`) })

// typesOfAPI puts the API server's own types in place of those that stand for them here.
var typesOfAPI = strings.NewReplacer("manifest.strategyValue", "apps.StatefulSetUpdateStrategy",
	"manifest.blockValue", "apps.RollingUpdateStatefulSetStrategy")
