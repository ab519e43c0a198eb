package forms

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/ulikunitz/xz"
)

// fromXZ reads a file that xz has compressed. The reader allocates the memory that the header of a block asks for,
// up to four gigabytes, before it reads any data, so the headers are checked first.
func fromXZ(data []byte) (io.Reader, error) {
	if asksForTooMuch(data) {
		return nil, errors.New("it asks for more than 128 MiB to unpack it: compress it again without options")
	}
	return xz.NewReader(bytes.NewReader(data))
}

// largestDictionary is the code of xz for a dictionary of widestWindow.
const largestDictionary = 30

// asksForTooMuch reports whether a block header has too large a dictionary. Headers start at multiples of four and
// end with a checksum, so nothing else is mistaken for one.
func asksForTooMuch(data []byte) bool {
	for at := 0; at+8 <= len(data); at += 4 {
		size := (int(data[at]) + 1) * 4
		if data[at] == 0 || at+size > len(data) {
			continue
		}
		header, sum := data[at:at+size-4], data[at+size-4:at+size]
		// At most twenty bytes of flags and sizes come before the filter LZMA2, which has one byte of properties.
		i := bytes.Index(header[:min(len(header)-1, 24)], []byte{0x21, 0x01})
		if i >= 0 && header[i+2] > largestDictionary && crc32.ChecksumIEEE(header) == binary.LittleEndian.Uint32(sum) {
			return true
		}
	}
	return false
}
