// Code generated from k8s.io/utils/net of k8s.io/utils v0.0.0-20260626114624-be93311217bd; DO NOT EDIT.

/*
Copyright 2021 The Kubernetes Authors.

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

// Package net is the part of k8s.io/utils/net that sim uses.
package net

import (
	forkednet "github.com/statefulsim/statefulsim/scenario/kube/utils/internal/third_party/forked/golang/net"
)

var ParseIPSloppy = forkednet.ParseIP
