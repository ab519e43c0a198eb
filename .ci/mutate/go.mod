// The mutation run over the packages of sim, in a module of its own: it needs nothing but Go.
module github.com/statefulsim/statefulsim/.ci/mutate

go 1.26.0
