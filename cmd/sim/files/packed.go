package files

import (
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/files/forms"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Packed returns the manifests in an archive, nil if the file is not an archive. Like the subfolders of a folder,
// an archive is searched only with recursive; otherwise the error names -R. Nothing is written, and the limit of a
// file applies to everything that is unpacked. Skipped files are reported on standard error.
func (f From) Packed(path string, recursive bool, limit int64) ([]forms.File, error) {
	packing := packingOf(path)
	if _, handed := f.Handed[path]; handed || packing == "" {
		return nil, nil
	}
	if !recursive {
		return nil, fmt.Errorf("%s: this is an archive, or a compressed file (%s): pass -R too, which reads what is in it, "+
			"or unpack it%s", path, packing, orChart(path))
	}
	data, err := (Source{Path: path, Ctx: f.Ctx}).Read(limit)
	if err != nil {
		return nil, err
	}
	return work.Await(f.Ctx, func() ([]forms.File, error) {
		in, err := forms.Unpack(forms.File{Name: path, Data: data}, isManifestFile, limit)
		if err != nil {
			return nil, err
		}
		return f.objectsOf(path, in, limit)
	})
}

// packingOf returns how a file is packed, "" if it is not. Errors of a file are reported where it is read.
func packingOf(path string) string {
	info, err := os.Stat(path)
	if path == Stdin || err != nil || !info.Mode().IsRegular() {
		return ""
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer func() { _ = file.Close() }()
	begin, _ := io.ReadAll(io.LimitReader(file, 512))
	return forms.Packing(begin)
}

// isManifestFile reports whether the file of an archive may have manifests.
func isManifestFile(name string) bool {
	return slices.Contains(ManifestEndings, path.Ext(name)) && !slices.Contains(manifest.Kustomizations, path.Base(name))
}

// objectsOf returns the files of an archive that have Kubernetes objects, and reports the skipped ones.
func (f From) objectsOf(archive string, in *forms.Unpacked, limit int64) ([]forms.File, error) {
	var charts, without []string
	for _, file := range in.Files {
		if path.Base(file.Name) == manifest.ChartFile {
			charts = append(charts, path.Dir(file.Name))
		}
	}
	var with []forms.File
	for _, file := range in.Files {
		plain, _, err := forms.Plain(file, limit)
		switch {
		case slices.ContainsFunc(charts, func(chart string) bool { return strings.HasPrefix(file.Name, chart+"/") }):
		case err == nil && file.Name != archive && !manifest.Looks(plain.Data):
			without = append(without, file.Name)
		default:
			with = append(with, file)
		}
	}
	if len(with) == 0 {
		return nil, nothingPacked(archive, charts, in.Nested)
	}
	f.tellLeftOut(without, charts)
	if len(in.Nested) > 0 {
		fmt.Fprintf(f.Told, "An archive in an archive is not read; unpack it first: %s\n",
			render.List(in.Nested, mostLeftOut))
	}
	return with, nil
}

// nothingPacked is the error of an archive without manifests.
func nothingPacked(archive string, charts, nested []string) error {
	switch {
	case len(charts) > 0:
		what, want := manifest.OfChart(archive)
		return fmt.Errorf("%s: %s: %s", archive, what, want)
	case len(nested) > 0:
		return fmt.Errorf("%s: this is an archive in an archive, which is not read: unpack %s first", nested[0], archive)
	}
	return fmt.Errorf("%s: there is no manifest in this archive", archive)
}

// orChart is the advice if the file may be a Helm chart, as its name says.
func orChart(path string) string {
	if !strings.HasSuffix(path, ".tgz") {
		return ""
	}
	return "; if it is a Helm chart, pass what " + shell.Line("helm", "template", path) + " prints"
}
