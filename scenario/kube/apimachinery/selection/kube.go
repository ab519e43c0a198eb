// Code generated from k8s.io/apimachinery/pkg/selection of k8s.io/apimachinery v0.37.2; DO NOT EDIT.

/*
Copyright 2016 The Kubernetes Authors.

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

// Package selection is the part of k8s.io/apimachinery/pkg/selection that sim uses.
package selection

import ()

type Operator string

const DoesNotExist Operator = "!"

const Equals Operator = "="

const DoubleEquals Operator = "=="

const In Operator = "in"

const NotEquals Operator = "!="

const NotIn Operator = "notin"

const Exists Operator = "exists"

const GreaterThan Operator = "gt"

const LessThan Operator = "lt"
