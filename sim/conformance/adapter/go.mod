module github.com/statefulsim/statefulsim/sim/conformance/adapter

go 1.26.0

require (
	github.com/statefulsim/statefulsim v0.0.0
	k8s.io/api v0.16.15
	k8s.io/apimachinery v0.16.15
	k8s.io/apiserver v0.16.15
	k8s.io/client-go v0.16.15
	pgregory.net/rapid v1.3.0
)

replace github.com/statefulsim/statefulsim => ../../..
