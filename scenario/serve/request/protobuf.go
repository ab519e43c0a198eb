package request

import (
	"reflect"
	"strconv"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// countOf counts the values that a protobuf message has for a Go type, without building them: two bytes may encode
// a whole container. It stops soon above mostValues, and where the message cannot be read, an error that the
// decoder reports.
func countOf(message []byte, of reflect.Type) int {
	c := counter{types: map[reflect.Type]numbered{}}
	c.message(message, c.fieldsOf(bare(of)))
	return c.values
}

// numbered are the types of the fields of a message, by their numbers.
type numbered map[protowire.Number]reflect.Type

// counter counts values; types has the fields of each type.
type counter struct {
	values int
	types  map[reflect.Type]numbered
}

// message counts the values of a message.
func (c *counter) message(data []byte, of numbered) {
	for len(data) > 0 && c.values <= mostValues {
		number, wire, n := protowire.ConsumeTag(data)
		if n < 0 {
			return
		}
		data = data[n:]
		size := protowire.ConsumeFieldValue(number, wire, data)
		if size < 0 {
			return
		}
		if field := of[number]; wire != protowire.BytesType {
			c.values++
		} else if field != nil {
			value, _ := protowire.ConsumeBytes(data)
			c.value(value, field)
		}
		data = data[size:]
	}
}

// value counts the values of a field that has a length. A text that is empty is none: the Go client sends all that are
// not set.
func (c *counter) value(data []byte, field reflect.Type) {
	switch element := bare(field); {
	case element.Kind() == reflect.Struct:
		c.values++
		c.message(data, c.fieldsOf(element))
	case element.Kind() == reflect.Map:
		c.values++
		c.message(data, numbered{2: element.Elem()})
	case len(data) > 0 || field.Kind() == reflect.Slice:
		c.values++
	}
}

// fieldsOf returns the fields of a type.
func (c *counter) fieldsOf(of reflect.Type) numbered {
	if known, is := c.types[of]; is {
		return known
	}
	all := numbered{}
	for i := 0; of.Kind() == reflect.Struct && i < of.NumField(); i++ {
		// protobuf:"bytes,2,rep,name=containers"
		parts := strings.Split(of.Field(i).Tag.Get("protobuf"), ",")
		if len(parts) > 1 {
			number, _ := strconv.Atoi(parts[1])
			all[protowire.Number(number)] = of.Field(i).Type
		}
	}
	c.types[of] = all
	return all
}

// bare returns a type without its being a list or a pointer.
func bare(of reflect.Type) reflect.Type {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
		of = of.Elem()
	}
	return of
}
