// Command generate writes the packages below scenario/kube: the part of k8s.io/api, k8s.io/apimachinery and
// k8s.io/component-helpers that sim uses, as it stands in the versions of go.mod. The real packages register every type
// with protobuf, CBOR, OpenAPI and a scheme before main, and link what those need: a third of the command, which a
// browser would have to load.
//
//	go generate ./scenario/kube
//
// What is taken are the declarations that those in roots.txt use, word for word, without their comments. A type keeps
// the methods that one of them calls, and those by which fmt and encoding/json know it.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run writes the packages below a folder, and removes what stood there.
func run(dir string) error {
	files, err := generate()
	if err != nil {
		return err
	}
	for _, old := range []string{"api", "apimachinery", "component-helpers", "utils"} {
		if err := os.RemoveAll(filepath.Join(dir, old)); err != nil {
			return err
		}
	}
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
