package manifest

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
)

// VersionedField is a field of a StatefulSet's spec that not every version keeps. Its text is "" if it is not given or
// has no effect. A field counts as kept if its text is the same before and after the server.
type VersionedField struct {
	Path string
	Text func(*model.Spec) string
}

// VersionedFields are all fields of the model that not every supported version has. A version that lacks one drops it
// silently, as an API server does with fields whose gate is off.
var VersionedFields = []VersionedField{
	{"spec.updateStrategy.rollingUpdate.maxUnavailable", func(s *model.Spec) string {
		block := s.Strategy.RollingUpdate
		if block == nil || block.MaxUnavailable == nil || *block.MaxUnavailable == (model.IntOrPercent{Value: 1}) {
			return ""
		}
		return block.MaxUnavailable.String()
	}},
	{"spec.minReadySeconds", func(s *model.Spec) string {
		if s.MinReadySeconds == 0 {
			return ""
		}
		return fmt.Sprint(s.MinReadySeconds)
	}},
	{"spec.ordinals.start", func(s *model.Spec) string {
		if s.Ordinals == nil || s.Ordinals.Start == 0 {
			return ""
		}
		return fmt.Sprint(s.Ordinals.Start)
	}},
	{"spec.persistentVolumeClaimRetentionPolicy", func(s *model.Spec) string {
		if s.Retention == nil || *s.Retention == (model.Retention{}) {
			return ""
		}
		words := map[bool]string{true: "Delete", false: "Retain"}
		return fmt.Sprintf("{whenDeleted: %s, whenScaled: %s}",
			words[s.Retention.DeleteWithSet], words[s.Retention.DeleteWhenScaled])
	}},
}
