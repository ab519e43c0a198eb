// The profile with which Go compiles sim, in a module of its own: what it needs is no need of sim.
module github.com/statefulsim/statefulsim/.ci/profile

go 1.26.0

require github.com/google/pprof v0.0.0-20261016150608-1facf8f91b50
