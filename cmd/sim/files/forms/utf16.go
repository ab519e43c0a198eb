package forms

import (
	"bytes"
	"fmt"

	"golang.org/x/text/encoding/unicode"
)

// fromUTF16 converts a text that starts with a byte order mark of UTF-16, as Windows PowerShell writes it, to
// UTF-8; it returns any other text as it is.
func fromUTF16(data []byte) ([]byte, error) {
	if !bytes.HasPrefix(data, []byte{0xff, 0xfe}) && !bytes.HasPrefix(data, []byte{0xfe, 0xff}) {
		return data, nil
	}
	text, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(data)
	if err != nil {
		return nil, fmt.Errorf("this is not UTF-16, although it begins so: %w", err)
	}
	return text, nil
}
