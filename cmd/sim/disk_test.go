package main

import (
	"bytes"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// smallDisk has room for so many bytes.
type smallDisk struct{ room int }

func (d *smallDisk) Write(p []byte) (int, error) {
	n := min(d.room, len(p))
	if d.room -= n; n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

const (
	diskScenario = `kubernetes: "1.37"
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - setImage: {statefulset: web, image: "app:v2"}
`
	diskStuck = `kubernetes: "1.37"
kubelet: {rules: [{match: {image: "app:v2"}, ready: never}]}
steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
  - setImage: {statefulset: web, image: "app:v2"}
`
	diskSet = `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web}
spec:
  replicas: 3
  podManagementPolicy: Parallel
  updateStrategy: {type: RollingUpdate}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: app, image: "app:v1", readinessProbe: {tcpSocket: {port: 80}}}]}
`
)

// TestEveryOutputOnAFullDisk: what cannot be written is an error with exit code 2, in each command and format, whether
// the disk is full at once or with the last byte.
func TestEveryOutputOnAFullDisk(t *testing.T) {
	inputs(t)
	for _, line := range []string{
		"run fine.yaml", "run -o table fine.yaml", "run -o json fine.yaml", "run -o jsonl fine.yaml", "run -o markdown fine.yaml",
		"run -o html fine.yaml", "run -o junit fine.yaml", "run -o watch fine.yaml", "run -o trace fine.yaml", "run stuck.yaml",
		"run fine.yaml stuck.yaml", "run --no-history -o jsonl fine.yaml", "run --save-as-test fine.yaml",
		"run --kubernetes 1.36,1.37 fine.yaml", "run --kubernetes 1.36,1.37 -o json fine.yaml", "test fine.yaml", "test stuck.yaml",
		"compare fine.yaml stuck.yaml", "compare -o markdown fine.yaml stuck.yaml", "compare -o html fine.yaml stuck.yaml",
		"compare -o json fine.yaml stuck.yaml", "check timeline.jsonl checked.yaml", "expand fine.yaml", "schema", "version",
		"versions", "versions -o json", "versions -o markdown", "versions 1.36 1.37", "versions -o json 1.36 1.37",
		"plan old.yaml new.yaml", "plan -o markdown old.yaml new.yaml", "plan -o json old.yaml new.yaml",
		"plan -o html old.yaml new.yaml", "plan --show broken old.yaml new.yaml",
		"explain stuck.yaml", "explain -o json stuck.yaml", "explain -o html dump.yaml", "explain dump.yaml",
		"upgrade --from 1.36 --to 1.37 old.yaml", "upgrade --from 1.36 --to 1.37 -o markdown old.yaml",
		"upgrade --from 1.36 --to 1.37 -o json old.yaml", "upgrade --from 1.36 --to 1.37 -o html old.yaml",
		"upgrade --from 1.36 --to 1.37 --show default/web old.yaml", "upgrade --from 1.33 --to 1.34 --show default/web old.yaml",
		"explore --runs 20 fine.yaml", "explore --runs 20 -o json fine.yaml", "explore --runs 20 -o jsonl stuck.yaml",
		"explore --runs 20 -o markdown fine.yaml", "explore --runs 20 -o html stuck.yaml", "explore --runs 20 -o junit fine.yaml",
		"explore --matrix 2 fine.yaml", "explore --job 2 fine.yaml", "merge explore.json", "merge sweep.json",
		"sweep --runs 3 fine.yaml", "sweep --runs 3 -o json fine.yaml", "sweep --matrix 2 fine.yaml", "sweep --job 2 fine.yaml",
		"learn", "learn --no-pause 1", "learn --scenario 1", "learn --report 1",
	} {
		t.Run(line, func(t *testing.T) {
			args := strings.Fields(line)
			code, whole, errors := call(t, command.Simulator, "", args...)
			require.Less(t, code, cli.ExitUsage, errors)
			require.NotEmpty(t, whole)
			for _, room := range []int{0, len(whole) - 1} {
				var stderr bytes.Buffer
				s := &command.Console{In: strings.NewReader(""), Out: &smallDisk{room}, Err: &stderr, Ctx: t.Context()}
				require.Equal(t, cli.ExitUsage, Main(args, s, command.Simulator), "room for %d of %d bytes", room, len(whole))
				require.Contains(t, stderr.String(), "no space left")
			}
		})
	}
}
