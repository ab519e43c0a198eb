// Code generated from k8s.io/apimachinery/pkg/util/sets of k8s.io/apimachinery v0.37.2; DO NOT EDIT.

/*
Copyright 2022 The Kubernetes Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

// Package sets is the part of k8s.io/apimachinery/pkg/util/sets that sim uses.
package sets

import ()

type Empty struct{}

type Set[T comparable] map[T]Empty

func cast[T comparable](s map[T]Empty) Set[T] { return s }

func New[T comparable](items ...T) Set[T] {
	ss := make(Set[T], len(items))
	ss.Insert(items...)
	return ss
}

func (s Set[T]) Insert(items ...T) Set[T] {
	for _, item := range items {
		s[item] = Empty{}
	}
	return s
}

func (s Set[T]) Has(item T) bool {
	_, contained := s[item]
	return contained
}

func (s Set[T]) Len() int {
	return len(s)
}

type String map[string]Empty

func NewString(items ...string) String {
	return String(New[string](items...))
}

func (s String) Insert(items ...string) String {
	return String(cast(s).Insert(items...))
}

func (s String) Has(item string) bool {
	return cast(s).Has(item)
}

func (s String) Len() int {
	return len(s)
}
