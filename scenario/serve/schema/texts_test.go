package schema

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// retired are the volumes whose fields are not documented: nobody begins to use them.
var retired = regexp.MustCompile(`^core\.v1\.(AWSElastic|Azure|Ceph|Cinder|FC|Flex|Flocker|GCEPers|GitRepo|Glusterfs|ISCSI|Photon|` +
	`Portworx|Quobyte|RBD|ScaleIO|StorageOS|Vsphere)`)

// served are the schemas of all kinds with a Go type.
func served() Types {
	types := Types{}
	for i := range kinds.Served {
		if k := &kinds.Served[i]; k.New != nil {
			types.Add(reflect.TypeOf(k.New()).Elem())
		}
	}
	return types
}

// gathered collects the texts of a type and of those in it.
func gathered(of reflect.Type, into map[string]string, seen map[reflect.Type]bool) {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Map {
		of = of.Elem()
	}
	if of.Kind() != reflect.Struct || seen[of] || !strings.HasPrefix(of.PkgPath(), "k8s.io/") {
		return
	}
	seen[of] = true
	for i := range of.NumField() {
		gathered(of.Field(i).Type, into, seen)
	}
	name := short(nameOf(of))
	if documented, is := reflect.New(of).Interface().(interface{ SwaggerDoc() map[string]string }); is && !retired.MatchString(name) {
		for field, text := range documented.SwaggerDoc() {
			into[name+"."+field] = text
		}
	}
}

// TestTexts: the texts are those of the types that the module links. With -update they are written again, by bzip2.
func TestTexts(t *testing.T) {
	want, seen := map[string]string{}, map[reflect.Type]bool{}
	for i := range kinds.Served {
		if k := &kinds.Served[i]; k.New != nil {
			gathered(reflect.TypeOf(k.New()), want, seen)
		}
	}
	if goldenfile.Update() {
		core, others := map[string]string{}, map[string]string{}
		for name, text := range want {
			if strings.HasPrefix(name, "core.") {
				core[name] = text
			} else {
				others[name] = text
			}
		}
		packed(t, "texts-core.json.bz2", core)
		packed(t, "texts-others.json.bz2", others)
		return
	}
	require.Equal(t, want, texts())
}

func packed(t *testing.T, name string, texts map[string]string) {
	data, err := json.Marshal(texts)
	require.NoError(t, err)
	command := exec.Command("bzip2", "-9")
	command.Stdin = bytes.NewReader(data)
	out, err := command.Output()
	require.NoError(t, err)
	require.Less(t, len(out), 50_000)
	require.NoError(t, os.WriteFile(name, out, 0o644))
}
