module github.com/statefulsim/statefulsim/sim/conformance

go 1.26.0

replace github.com/statefulsim/statefulsim => ../..

require (
	github.com/statefulsim/statefulsim v0.0.0
	github.com/stretchr/testify v1.12.1
	golang.org/x/tools v0.51.0
	pgregory.net/rapid v1.3.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect
