package command

import (
	"fmt"

	"github.com/statefulsim/statefulsim/scenario/live/kubectl"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
)

// Recordings reads files that show how long pods took. The error names the flag. The result is in the order of the
// paths, nil without any.
func (s *Console) Recordings(paths []string, limit int64) ([]*recording.Recording, error) {
	var list []*recording.Recording
	for _, path := range paths {
		in, data, err := s.From().Read(path, limit)
		if err != nil {
			return nil, err
		}
		seen, err := recording.Read(in.Name(), s.Whole(in.Name(), data))
		if err != nil {
			return nil, Usagef("--recording %s", err)
		}
		list = append(list, seen)
	}
	return list, nil
}

// Whole returns a recording of sim follow without a last line that was not written to its end, and says so.
func (s *Console) Whole(name string, data []byte) []byte {
	whole, torn := kubectl.Whole(data)
	if torn > 0 {
		fmt.Fprintf(s.Err, "%s:%d: the last line was not written to its end, and is left out\n", name, torn)
	}
	return whole
}
