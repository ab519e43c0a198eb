package kube

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// Decode fills an empty object from what JSON has given: maps, lists, texts, numbers. It is json.Unmarshal of that, and
// has its errors.
func Decode(given map[string]any, into any) error {
	v := reflect.ValueOf(into).Elem()
	if fill(v, given) {
		return nil
	}
	v.SetZero()
	data, err := json.Marshal(given)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// Unmarshal is json.Unmarshal, into an empty object.
func Unmarshal(data []byte, into any) error {
	v := reflect.ValueOf(into).Elem()
	var given map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&given) == nil && !d.More() && given != nil && fill(v, given) {
		return nil
	}
	v.SetZero()
	return json.Unmarshal(data, into)
}

// fill fills a value, or says that this is for encoding/json to do, or to refuse.
func fill(v reflect.Value, given any) bool {
	if isCodec(v.Type()) {
		switch given.(type) {
		case map[string]any, []any:
			// Some keep the text as it stands.
			return false
		}
		data, err := json.Marshal(given)
		return err == nil && v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(data) == nil
	}
	if given == nil {
		// null is nothing to a value, and nil to what may be nil: both are so already.
		return true
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return fill(v.Elem(), given)
	case reflect.Struct:
		of, is := given.(map[string]any)
		return is && fillStruct(v, of)
	case reflect.Map:
		of, is := given.(map[string]any)
		return is && fillMap(v, of)
	case reflect.Slice:
		of, is := given.([]any)
		return is && v.Type().Elem().Kind() != reflect.Uint8 && fillSlice(v, of)
	}
	return fillPlain(v, given)
}

func fillPlain(v reflect.Value, given any) bool {
	switch given := given.(type) {
	case string:
		if v.Kind() == reflect.String {
			v.SetString(given)
			return true
		}
	case bool:
		if v.Kind() == reflect.Bool {
			v.SetBool(given)
			return true
		}
	case json.Number:
		n, err := strconv.ParseInt(given.String(), 10, 64)
		return err == nil && fillInt(v, n)
	case int:
		return fillInt(v, int64(given))
	case int64:
		return fillInt(v, given)
	case float64:
		// Beyond that a float is not the number that was written.
		const exact = 1 << 53
		return given == float64(int64(given)) && given > -exact && given < exact && fillInt(v, int64(given))
	}
	return false
}

func fillInt(v reflect.Value, given int64) bool {
	if !v.CanInt() || v.OverflowInt(given) {
		return false
	}
	v.SetInt(given)
	return true
}

func fillStruct(v reflect.Value, given map[string]any) bool {
	l := layoutOf(v.Type())
	for _, name := range slices.Sorted(maps.Keys(given)) {
		i, is := l.byName[name]
		if !is || !fill(v.FieldByIndex(l.fields[i].index), given[name]) {
			return false
		}
	}
	return true
}

func fillMap(v reflect.Value, given map[string]any) bool {
	t := v.Type()
	if t.Key().Kind() != reflect.String || isCodec(t.Key()) {
		return false
	}
	v.Set(reflect.MakeMapWithSize(t, len(given)))
	for _, key := range slices.Sorted(maps.Keys(given)) {
		element := reflect.New(t.Elem()).Elem()
		if !fill(element, given[key]) {
			return false
		}
		v.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), element)
	}
	return true
}

func fillSlice(v reflect.Value, given []any) bool {
	v.Set(reflect.MakeSlice(v.Type(), len(given), len(given)))
	for i, value := range given {
		if !fill(v.Index(i), value) {
			return false
		}
	}
	return true
}
