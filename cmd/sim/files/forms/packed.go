package forms

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// packings are the forms that are unpacked, by their first bytes.
var packings = []struct{ name, begin string }{
	{"zip", "PK\x03\x04"}, {"zip", "PK\x05\x06"}, {"gzip", "\x1f\x8b"}, {"xz", "\xfd7zXZ\x00"},
	{"zstd", "\x28\xb5\x2f\xfd"},
}

const (
	// tarMark is in the header of a tar archive, at tarMarkAt.
	tarMark, tarMarkAt = "ustar", 257
	// passedOver is how many times the limit of all files may be unpacked in search of them: logs are passed over.
	passedOver = 16
	// aFile is the size that each file adds to its content in the count, so that there are not too many empty
	// ones.
	aFile = 512
	// widestWindow is the memory, in bytes, that an archive may ask for to unpack it: xz and zstd use less by default.
	widestWindow = 128 << 20
)

// Packing returns the name of the archive or compression that starts with these bytes, "" for a text. 262 bytes are
// enough.
func Packing(begin []byte) string {
	for _, p := range packings {
		if bytes.HasPrefix(begin, []byte(p.begin)) {
			return p.name
		}
	}
	if len(begin) >= tarMarkAt+len(tarMark) && string(begin[tarMarkAt:tarMarkAt+len(tarMark)]) == tarMark {
		return "tar"
	}
	return ""
}

// Unpacked is the contents of an archive.
type Unpacked struct {
	// Files are the requested files, in the order of their names, which start with the name of the archive.
	Files []File
	// Nested are the archives in it, which are not read.
	Nested []string
}

// Unpack returns the files of an archive whose names wanted accepts, or the decompressed file. The files together
// may have no more than limit bytes, since their sizes are not known before they are unpacked.
func Unpack(archive File, wanted func(name string) bool, limit int64) (*Unpacked, error) {
	u := &unpacker{archive: archive.Name, wanted: wanted, limit: limit, left: limit, files: map[string][]byte{}}
	err := u.unpack(archive.Data)
	if problems := strict.Problems(nil); errors.As(err, &problems) {
		return nil, problems
	}
	if err != nil {
		return nil, fmt.Errorf("%s: this archive (%s) cannot be unpacked: %w", archive.Name, Packing(archive.Data), err)
	}
	out := &Unpacked{Nested: u.nested}
	for _, name := range slices.Sorted(maps.Keys(u.files)) {
		out.Files = append(out.Files, File{name, u.files[name]})
	}
	return out, nil
}

// unpacker holds what has been unpacked.
type unpacker struct {
	archive     string
	wanted      func(string) bool
	limit, left int64
	files       map[string][]byte
	nested      []string
}

// unpack reads an archive.
func (u *unpacker) unpack(data []byte) error {
	var from io.Reader = bytes.NewReader(data)
	var err error
	switch Packing(data) {
	case "zip":
		return u.zip(data)
	case "tar":
		return u.tar(from)
	case "gzip":
		from, err = gzip.NewReader(from)
	case "xz":
		from, err = fromXZ(data)
	case "zstd":
		var decoder *zstd.Decoder
		decoder, err = zstd.NewReader(from, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(widestWindow))
		if err == nil {
			defer decoder.Close()
		}
		from = decoder
	}
	if err != nil {
		return err
	}
	return u.compressed(from)
}

// compressed reads what was compressed: a tar archive or one file.
func (u *unpacker) compressed(from io.Reader) error {
	text := bufio.NewReader(&bounded{from, u.limit*passedOver + aFile, u.tooLarge()})
	switch begin, _ := text.Peek(tarMarkAt + len(tarMark)); Packing(begin) {
	case "tar":
		return u.tar(text)
	case "":
		return u.keep(u.archive, text)
	}
	return errors.New("it is an archive in an archive: unpack the outer one first")
}

// zip reads the files of a zip archive.
func (u *unpacker) zip(data []byte) error {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	for _, file := range r.File {
		if !file.Mode().IsRegular() || !u.takes(file.Name) {
			continue
		}
		from, err := file.Open()
		if err == nil {
			err = errors.Join(u.keep(u.inside(file.Name), from), from.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tar reads the files of a tar archive.
func (u *unpacker) tar(from io.Reader) error {
	r := tar.NewReader(from)
	for {
		header, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			return err
		case header.Typeflag == tar.TypeReg && u.takes(header.Name):
			if err := u.keep(u.inside(header.Name), r); err != nil {
				return err
			}
		}
	}
}

// inside returns the name of a file in the archive. It is only a name: nothing is opened or written under it, and it
// never leads out of the archive.
func (u *unpacker) inside(name string) string {
	return u.archive + path.Clean("/"+strings.ReplaceAll(name, `\`, "/"))
}

// takes reports whether a file of the archive is read. An archive in it is noted.
func (u *unpacker) takes(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".zip", ".tar", ".gz", ".tgz", ".xz", ".zst":
		u.nested = append(u.nested, u.inside(name))
		return false
	}
	return u.wanted(u.inside(name))
}

// keep reads a file. A later one of the same name takes its place.
func (u *unpacker) keep(name string, from io.Reader) error {
	data, err := io.ReadAll(io.LimitReader(from, u.left+1))
	if err != nil {
		return err
	}
	if u.left -= int64(len(data)); u.left < 0 {
		return u.tooLarge()
	}
	u.left = max(0, u.left-aFile)
	u.files[name] = data
	return nil
}

// tooLarge is the error of an archive with more in it than the limit.
func (u *unpacker) tooLarge() error {
	p := strict.TooLarge(u.archive, u.limit)
	p.What = "what is packed in this " + strings.TrimPrefix(p.What, "the ")
	return strict.Problems{p}
}

// bounded is a reader that fails after so many bytes.
type bounded struct {
	io.Reader
	left  int64
	after error
}

// Read reads on, or fails.
func (b *bounded) Read(into []byte) (int, error) {
	n, err := b.Reader.Read(into)
	if b.left -= int64(n); b.left < 0 {
		return 0, b.after
	}
	return n, err
}
