// Package manifest reads real manifests: YAML or JSON, of one or many documents, lists, and dumps of a live cluster. A
// StatefulSet is decoded strictly into the types of k8s.io/api, defaulted as the API server does it, and turned into
// the model's StatefulSet and back; what is not a StatefulSet is kept by its name.
//
// Patches are made and applied here too, as kubectl and the API server do: on the JSON form of the live object.
package manifest
