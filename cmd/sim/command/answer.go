// Package command answers what a command was asked: it reads the input, lets the package that knows the answer play,
// and prints what came of it. A command (cmd/sim) only turns its flags into a value of this package, and the error of
// Answer into an exit code. It belongs to commands, since what it does depends on the machine.
package command

import (
	"fmt"

	"github.com/statefulsim/statefulsim/cmd/sim/files/forms"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Version is the release. It is in the header of timelines, so it is a constant and not read from the build: two
// builds of one commit write the same timelines.
const Version = "0.1.0"

// The ways that an answer can fail.
var (
	ErrFailed, ErrWrongInput, ErrTimeout, ErrInterrupted = work.ErrFailed, work.ErrWrongInput, work.ErrTimeout,
		work.ErrInterrupted
	Usagef = work.Usagef
)

// Call is what commands have in common: the console, the format, the arguments, the flags that change the world of a
// scenario, how many are played at once, and whether the folders below a folder are taken too.
type Call struct {
	*Console
	Output    string
	Args      []string
	World     World
	Workers   int
	Recursive bool
	// packed are the files of archives, by the name of the archive and the name inside it.
	packed map[string][]byte
	// ClusterInfo is a file that kubectl cluster-info dump has written, "" if none was read.
	ClusterInfo string
}

// InFolders returns the arguments, with the files in it for each folder and each archive.
func (c *Call) InFolders() ([]string, error) {
	var all []string
	for _, path := range c.Args {
		files, err := c.ManifestsIn(path)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

// ManifestsIn returns the path of a file, or the paths of the manifests in a folder or an archive. The contents of
// an archive are kept: readState finds them by name.
func (c *Call) ManifestsIn(path string) ([]string, error) {
	packed, err := c.Console.From().Packed(path, c.Recursive, c.World.Limits.FileSize)
	if err != nil || packed == nil {
		if err == nil {
			return c.Console.From().Manifests(path, c.Recursive, c.World.Limits.FileSize)
		}
		return nil, err
	}
	var names []string
	for _, file := range packed {
		if c.packed == nil {
			c.packed = map[string][]byte{}
		}
		c.packed[file.Name] = file.Data
		names = append(names, file.Name)
	}
	return names, nil
}

// ReadState reads the state of a cluster, or manifests, from a file that manifestsIn has named, as kubectl prints them:
// what other forms have in addition is left out, and standard error says so.
func (c *Call) ReadState(path string) (Source, []byte, error) {
	in, limit := Source{Path: path, Data: c.packed[path]}, c.World.Limits.FileSize
	if in.Data == nil {
		var err error
		if in, err = c.Console.From().Open(path, limit); err != nil {
			return in, nil, err
		}
	}
	data, err := in.Read(limit)
	if err != nil {
		return in, data, err
	}
	if packing := forms.Packing(data); packing != "" {
		return in, nil, strict.Problems{{File: in.Name(), Want: "unpack it first, or save it in a file and pass -R",
			What: "this is an archive, or a compressed file (" + packing + ")"}}
	}
	if forms.IsClusterInfo(data) {
		c.ClusterInfo = in.Name()
	}
	plain, notes, err := forms.Plain(forms.File{Name: in.Name(), Data: data}, limit)
	for _, note := range notes {
		fmt.Fprintln(c.Err, note)
	}
	return in, plain.Data, err
}

// CheckWorkers refuses a number of workers below 1.
func (c *Call) CheckWorkers() error {
	if c.Workers < 1 {
		return Usagef("-j must be at least 1")
	}
	return nil
}
