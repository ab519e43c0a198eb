package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// rolling is what kubectl prints of a set in the middle of a rollout: its third pod is new, and has just been created.
func rolling(change func(set, pod map[string]any)) string {
	now := func(ago time.Duration) string { return time.Now().Add(-ago).UTC().Format(time.RFC3339) }
	type object = map[string]any
	template := func(image string) object {
		return object{"metadata": object{"labels": object{"app": "web"}}, "spec": object{"containers": []any{object{"name": "app", "image": image}}}}
	}
	owner := []any{object{"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "web", "uid": "of-web", "controller": true}}
	set := object{"apiVersion": "apps/v1", "kind": "StatefulSet",
		"metadata": object{"name": "web", "namespace": "shop", "uid": "of-web", "generation": 2, "resourceVersion": "70", "creationTimestamp": now(time.Hour)},
		"spec":     object{"replicas": 3, "serviceName": "web", "selector": object{"matchLabels": object{"app": "web"}}, "template": template("app:v2")},
		"status": object{"observedGeneration": 2, "replicas": 3, "readyReplicas": 2, "currentReplicas": 2, "updatedReplicas": 1,
			"currentRevision": "web-1", "updateRevision": "web-2"}}
	items := []any{set}
	for n := 1; n <= 2; n++ {
		data := template(fmt.Sprintf("app:v%d", n))
		data["$patch"] = "replace"
		items = append(items, object{"apiVersion": "apps/v1", "kind": "ControllerRevision", "revision": n, "data": object{"spec": object{"template": data}},
			"metadata": object{"name": fmt.Sprintf("web-%d", n), "namespace": "shop", "creationTimestamp": now(time.Hour), "ownerReferences": owner}})
	}
	var last object
	for i := range 3 {
		revision, created, ready := 1, time.Hour, "True"
		if i == 2 {
			revision, created, ready = 2, time.Second, "False"
		}
		pod := object{"apiVersion": "v1", "kind": "Pod",
			"metadata": object{"name": fmt.Sprintf("web-%d", i), "namespace": "shop", "uid": fmt.Sprintf("p%d", i), "creationTimestamp": now(created),
				"labels": object{"app": "web", "controller-revision-hash": fmt.Sprintf("web-%d", revision)}, "ownerReferences": owner},
			"spec": object{"nodeName": "n", "containers": []any{object{"name": "app", "image": fmt.Sprintf("app:v%d", revision)}}},
			"status": object{"phase": "Running", "startTime": now(created), "conditions": []any{object{"type": "PodScheduled", "status": "True"},
				object{"type": "Ready", "status": ready, "lastTransitionTime": now(created)}},
				"containerStatuses": []any{object{"name": "app", "image": "app", "imageID": "", "ready": i < 2, "restartCount": 0,
					"state": object{"running": object{"startedAt": now(created)}}}}}}
		items, last = append(items, pod), pod
	}
	if change != nil {
		change(set, last)
	}
	text, err := json.Marshal(object{"kind": "List", "apiVersion": "v1", "items": items})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestHostileFollow: whatever later looks of sim follow bring, it ends, or goes on with the next look, and what it says
// is text. The first look shows a rollout; the script says what the later ones do. Of those with which it goes on it
// sees as many as there is time for.
func TestHostileFollow(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the programs are scripts of a shell")
	}
	if testing.Short() {
		t.Skip("it takes seconds: .ci/tasks/long runs it, and TestHostileKubectl is its sample")
	}
	type object = map[string]any
	meta := func(of object) object { return of["metadata"].(object) }
	esc := "\x1b]0;x\x07\n::error::y\u202e"
	for name, c := range map[string]struct {
		// then is the answer from the second look on, or script what answers in its place.
		then   func(set, pod map[string]any)
		script string
		says   string
		code   int
	}{
		"broken JSON":           {script: `echo '{"kind":"List","items":[1,{]}'`, says: "it printed no list of objects", code: cli.ExitUsage},
		"half a list":           {script: `head -c 700 first`, says: "it printed no list of objects", code: cli.ExitUsage},
		"nothing":               {script: `true`, says: "it printed no list of objects", code: cli.ExitUsage},
		"an empty list":         {script: `echo '{"kind":"List","items":[]}'`, says: "there is no StatefulSet", code: cli.ExitUsage},
		"binary":                {script: `head -c 100000 /dev/urandom`, says: "it printed no list of objects", code: cli.ExitUsage},
		"a page of a proxy":     {script: `echo '<html><script>alert(1)</script>'`, says: "it printed no list of objects", code: cli.ExitUsage},
		"exit 1 and escapes":    {script: `printf '\033]0;x\007\n::error::y\n\r\342\200\256z' >&2; exit 1`, says: `\u001b]0;x\u0007; ::error::y; \u202ez`, code: cli.ExitUsage},
		"much beside":           {script: `yes no | head -c 3000000 >&2; exit 1`, says: "kubectl: no", code: cli.ExitUsage},
		"killed":                {script: `kill -KILL $$`, says: "it failed without a word", code: cli.ExitUsage},
		"no end":                {script: `yes '{"kind":"List","items":[]}'`, says: "--max-file-size", code: cli.ExitUsage},
		"escapes beside a list": {script: `printf '\033[31mred\n::error::y\n' >&2; cat then`, code: cli.ExitTimeout},
		"a set of other names":  {then: func(set, pod object) { meta(set)["name"] = strings.Repeat("a", 1<<17) }, says: "no API server takes the name", code: cli.ExitUsage},
		"a name with escapes":   {then: func(set, pod object) { meta(pod)["name"] = "web-2" + esc }, says: "no API server takes the name", code: cli.ExitUsage},
		"a node with escapes":   {then: func(set, pod object) { pod["spec"].(object)["nodeName"] = esc }, says: "no API server takes the name", code: cli.ExitUsage},
		"a reason with escapes": {then: func(set, pod object) {
			pod["status"].(object)["containerStatuses"].([]any)[0].(object)["state"] = object{"waiting": object{"reason": "Boom" + esc, "message": esc}}
		}, code: cli.ExitTimeout},
		"a huge message": {then: func(set, pod object) {
			pod["status"].(object)["containerStatuses"].([]any)[0].(object)["state"] = object{"waiting": object{"reason": "CrashLoopBackOff", "message": strings.Repeat("m\n", 1<<12)}}
		}, code: cli.ExitTimeout},
		"a renamed set":          {then: func(set, pod object) { meta(set)["name"] = "db" }, says: "deleted", code: cli.ExitFailed},
		"another namespace":      {then: func(set, pod object) { meta(set)["namespace"] = "other" }, says: "deleted", code: cli.ExitFailed},
		"another uid":            {then: func(set, pod object) { meta(set)["uid"] = "else" }, says: "an earlier StatefulSet of this name", code: cli.ExitFailed},
		"only other kinds":       {script: `echo '{"kind":"List","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"n"}}]}'`, says: "there is no StatefulSet", code: cli.ExitUsage},
		"only the pods":          {script: `echo '{"kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"n"}}]}'`, says: "deleted", code: cli.ExitFailed},
		"a kind of another type": {script: `echo '{"kind":"List","items":[{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":["web"]},"spec":7}]}'`, says: "the cluster:1", code: cli.ExitUsage},
		"an older version":       {then: func(set, pod object) { meta(set)["resourceVersion"], meta(set)["generation"] = "3", 1 }, code: cli.ExitTimeout},
		"a version of nobody":    {then: func(set, pod object) { meta(set)["resourceVersion"] = esc }, code: cli.ExitTimeout},
		"no replicas":            {then: func(set, pod object) { delete(set["spec"].(object), "replicas") }, code: cli.ExitTimeout},
		"2^31-1 replicas":        {then: func(set, pod object) { set["spec"].(object)["replicas"] = 1<<31 - 1 }, says: "spec.replicas is 2147483647: at most 100000", code: cli.ExitUsage},
		"replicas below 0":       {then: func(set, pod object) { set["spec"].(object)["replicas"] = -7 }, code: cli.ExitTimeout},
		"a generation of 2^63":   {then: func(set, pod object) { meta(set)["generation"] = json.Number("9223372036854775807") }, says: "must be a whole number", code: cli.ExitUsage},
		"too large a number":     {then: func(set, pod object) { meta(set)["generation"] = json.Number("1e400") }, says: "the number 1e400 is too large", code: cli.ExitUsage},
		"a clock far ahead":      {then: func(set, pod object) { meta(pod)["creationTimestamp"] = "2999-01-01T00:00:00Z" }, code: cli.ExitTimeout},
		"a clock of year 1":      {then: func(set, pod object) { meta(pod)["creationTimestamp"] = "0001-01-01T00:00:00Z" }, code: cli.ExitTimeout},
		"deleted before it was": {then: func(set, pod object) {
			meta(pod)["deletionTimestamp"], meta(pod)["deletionGracePeriodSeconds"] = "1970-01-01T00:00:00Z", 1<<31
		}, code: cli.ExitTimeout},
		"a set without a spec":   {then: func(set, pod object) { set["spec"] = nil }, says: "spec.selector", code: cli.ExitUsage},
		"a pod without a status": {then: func(set, pod object) { delete(pod, "status") }, code: cli.ExitTimeout},
		"a pod of itself":        {then: func(set, pod object) { meta(pod)["ownerReferences"].([]any)[0].(object)["uid"] = "p2" }, says: "an earlier StatefulSet of this name", code: cli.ExitFailed},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "first"), []byte(rolling(nil)), 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "then"), []byte(rolling(c.then)), 0o600))
			script := c.script
			if script == "" {
				script = "cat then"
			}
			fakeKubectl(t, "cd "+dir+`; case "$*" in *leases*) echo '{}'; exit;; esac; [ -e begun ] || { touch begun; cat first; exit; }; `+script)
			for _, format := range []string{"text", "json"} {
				_ = os.Remove(filepath.Join(dir, "begun"))
				record := filepath.Join(dir, "record")
				words := []string{"follow", "web", "-o", format, "--every", "1ms", "--max-file-size", "1MiB", "--record", record}
				if c.code == cli.ExitTimeout {
					words = append(words, "--timeout", "200ms")
				}
				code, out, stderr := call(t, command.Simulator, "", words...)
				require.Equal(t, c.code, code, "%s: %.600q %.600q", format, out, stderr)
				require.Contains(t, strings.ReplaceAll(out, "\n", " ")+stderr, c.says, format)
				require.True(t, format != "json" || code == cli.ExitUsage || json.Valid([]byte(out)), "%.600q", out)
				require.Less(t, len(out)+len(stderr), 1<<16)
				require.NotContains(t, "\n"+out+"\n"+stderr, "\n::")
				for _, r := range out + stderr {
					require.False(t, unicode.IsControl(r) && r != '\n' || r == '\u202e', "%.600q %.600q", out, stderr)
				}
				if code != cli.ExitUsage {
					code, _, stderr := call(t, command.Simulator, "", "follow", "web", "--replay", record)
					require.NotEqual(t, cli.ExitUsage, code, "the recording is none: %s", stderr)
				}
			}
		})
	}
}
