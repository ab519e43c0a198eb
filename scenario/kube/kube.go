package kube

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ControllerOf returns the owner of an object that is its controller, or nil.
func ControllerOf(object *metav1.ObjectMeta) *metav1.OwnerReference {
	for i := range object.OwnerReferences {
		if owner := &object.OwnerReferences[i]; owner.Controller != nil && *owner.Controller {
			return owner
		}
	}
	return nil
}

// Copy copies an object with all that it points at, as DeepCopy of the real packages does. What is nil stays nil. Types
// without exported fields, such as a time, are values, and their insides are shared.
func Copy[T any](of *T) *T {
	if of == nil {
		return nil
	}
	to := new(T)
	copyInto(reflect.ValueOf(to).Elem(), reflect.ValueOf(of).Elem())
	return to
}

// copyInto copies a value into one of its type.
func copyInto(to, from reflect.Value) {
	to.Set(from)
	switch from.Kind() {
	case reflect.Pointer:
		if !from.IsNil() {
			to.Set(reflect.New(from.Type().Elem()))
			copyInto(to.Elem(), from.Elem())
		}
	case reflect.Struct:
		for i := range from.NumField() {
			if field := to.Field(i); field.CanSet() {
				copyInto(field, from.Field(i))
			}
		}
	case reflect.Slice:
		if !from.IsNil() {
			to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
			for i := range from.Len() {
				copyInto(to.Index(i), from.Index(i))
			}
		}
	case reflect.Map:
		copyMap(to, from)
	}
}

func copyMap(to, from reflect.Value) {
	if from.IsNil() {
		return
	}
	to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
	for _, key := range from.MapKeys() {
		value := reflect.New(from.Type().Elem()).Elem()
		copyInto(value, from.MapIndex(key))
		to.SetMapIndex(key, value)
	}
}
