package timeline

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest returns the digest of the events before the result: 16 hexadecimal digits of the SHA-256 of their JSON lines.
// Two runs with one digest are the same run.
func Digest(events []Event) string {
	sum := sha256.New()
	var line []byte
	for i := range events {
		if events[i].Kind == KindResult {
			break
		}
		line = append(AppendJSON(line[:0], &events[i]), '\n')
		sum.Write(line)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}
