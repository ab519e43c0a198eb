package explain

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/heal"
)

// around returns what the dump shows near a stuck set that is no object of its worlds.
func (v *view) around(s *LiveSet) heal.Around {
	around := heal.Around{Services: v.State.Services, Scalers: v.Scalers[s.Key()]}
	for _, pod := range s.Pods {
		key := model.Key{Namespace: s.Namespace, Name: pod.Name}
		if !pod.Ready && v.Attached(key) {
			around.Attached = append(around.Attached, key)
		}
		if f := v.Facts[key]; f != nil && !pod.Ready {
			if kind, name := f.Lacks(); name != "" {
				around.Missing = append(around.Missing, heal.Missing{Pod: key, Kind: kind, Name: name})
			}
		}
	}
	return around
}
