package mcp

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	protocol "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// root is a folder whose files may be named.
type root string

// isText reports whether an input is content, and not a path: it has several lines, or a key.
func isText(input string) bool {
	return strings.ContainsAny(input, "\n{") || strings.Contains(input, ": ") || strings.HasSuffix(input, ":")
}

// rootsKey is the key under which the client is asked for its roots.
const rootsKey = "roots"

// roots returns the folders that input files may be in: the folders of the command line and the client's own. The
// client is asked only if an input is a path; ask is then the question.
func (s *server) roots(req *protocol.CallToolRequest, paths []string) (of []root, ask *protocol.CallToolResult, err error) {
	if len(paths) == 0 {
		return nil, nil, nil
	}
	for _, folder := range s.Roots {
		of = append(of, root(folder))
	}
	//lint:ignore SA1019 roots are deprecated since the protocol of 2026-07-28, and most clients have them
	listed, answered := req.Params.InputResponses[rootsKey].(*protocol.ListRootsResult)
	switch {
	case answered:
		for _, r := range listed.Roots {
			if at, err := url.Parse(r.URI); err == nil && at.Scheme == "file" {
				of = append(of, root(filepath.FromSlash(at.Path)))
			}
		}
	case hasRoots(req.Session.InitializeParams()):
		return nil, &protocol.CallToolResult{InputRequests: protocol.InputRequestMap{
			//lint:ignore SA1019 see above
			rootsKey: &protocol.ListRootsParams{},
		}}, nil
	}
	if len(of) == 0 {
		return nil, nil, work.Usagef("%s: no folder may be read: hand over the text, or start sim mcp with --root FOLDER",
			paths[0])
	}
	return of, nil, nil
}

// hasRoots reports whether the client has roots.
func hasRoots(client *protocol.InitializeParams) bool {
	//lint:ignore SA1019 see roots
	return client != nil && client.Capabilities != nil && client.Capabilities.RootsV2 != nil
}

// handing hands over texts and files to a command, each under a name.
type handing struct {
	to    map[string]files.Handed
	roots []root
	// limit is the most bytes of a text.
	limit int64
	// paths are the inputs that are paths.
	paths []string
	// folder is the root of the last file, "" if none was named.
	folder string
}

// name returns the name of an input for the command; "" stays.
func (h *handing) name(input string) (string, error) {
	switch {
	case input == "":
		return "", nil
	case isText(input):
		if int64(len(input)) > h.limit {
			return "", strict.TooLarge("the text", h.limit)
		}
		name := h.free()
		h.to[name] = files.Handed{Text: []byte(input), Folder: h.nowhere()}
		return name, nil
	}
	return input, h.file(input)
}

// free is a name for a text that nothing has.
func (h *handing) free() string {
	for n := 1; ; n++ {
		name := fmt.Sprintf("text-%d.yaml", n)
		if _, taken := h.to[name]; !taken && !slices.Contains(h.paths, name) {
			return name
		}
	}
}

// nowhere is the folder of a text: no manifest can be read there.
func (h *handing) nowhere() string {
	if len(h.roots) > 0 {
		return string(h.roots[0])
	}
	return os.DevNull
}

// file hands over a file or a folder below a root. Links that lead out of the root are refused.
func (h *handing) file(name string) error {
	var last error
	for _, r := range h.roots {
		within := name
		if filepath.IsAbs(name) {
			var err error
			if within, err = filepath.Rel(string(r), name); err != nil {
				continue
			}
		}
		if !filepath.IsLocal(within) {
			last = fmt.Errorf("%s: it is not below one of the roots: %s", name, h.list())
			continue
		}
		err := h.below(r, filepath.ToSlash(within), name)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		last = fmt.Errorf("%s: there is no such file below the roots: %s", name, h.list())
	}
	return last
}

// list lists the roots.
func (h *handing) list() string {
	var list []string
	for _, r := range h.roots {
		list = append(list, string(r))
	}
	return strings.Join(list, ", ")
}

// below hands over a file or a folder of one root under a name.
func (h *handing) below(r root, within, name string) error {
	in, err := os.OpenRoot(string(r))
	if err != nil {
		return fmt.Errorf("the root %s: %w", r, err)
	}
	defer func() { _ = in.Close() }()
	info, err := in.Stat(within)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return h.one(in, within, name, string(r))
	}
	entries, err := fs.ReadDir(in.FS(), within)
	if err != nil {
		return err
	}
	names := []string{}
	for _, entry := range entries {
		if !slices.Contains(files.ManifestEndings, path.Ext(entry.Name())) {
			continue
		}
		one := path.Join(filepath.ToSlash(name), entry.Name())
		if err := h.one(in, path.Join(within, entry.Name()), one, string(r)); err != nil {
			return err
		}
		names = append(names, one)
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: there is no *.json, *.yaml or *.yml in this folder", name)
	}
	h.to[name] = files.Handed{Names: names}
	return nil
}

// one hands over a file.
func (h *handing) one(in *os.Root, within, name, folder string) error {
	info, err := in.Stat(within)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: it is not a regular file", name)
	}
	if info.Size() > h.limit {
		return strict.TooLarge(name, h.limit)
	}
	file, err := in.Open(within)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, h.limit))
	if err != nil {
		return err
	}
	h.to[name] = files.Handed{Text: text, Folder: filepath.Join(folder, filepath.Dir(filepath.FromSlash(within)))}
	h.folder = folder
	return nil
}
