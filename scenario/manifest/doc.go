// Package manifest reads real manifests: YAML or JSON, of one or many documents, lists, and dumps of a live cluster. A
// StatefulSet is decoded strictly into the types of k8s.io/api, defaulted as the API server does it, and turned into
// the model's StatefulSet and back; what is not a StatefulSet is kept by its name.
//
// Reading keeps the place of each field, so that each refusal by the API server that can be foreseen is a problem with
// file, line and column. What depends on a version is not decided here but by the simulated API server: this package
// finds mistakes and leaves their order and wording by version to it.
//
// Patches are made and applied here too, as kubectl and the API server do: on the JSON form of the live object.
//
// Invariants: equal objects have equal JSON, by which the model compares templates; Object returns what Model was
// given, with defaults; no function changes the model's set that it is given, but returns another.
//
// Packages scenario, dump, plan, play, heal and upgrade call it. It knows no world: an operation that kubectl splits
// between a client and a server is here only as far as it needs neither time nor other objects.
package manifest
