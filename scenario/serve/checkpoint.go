package serve

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// restore resets the session to a checkpoint. Everything that clients have read since is void: their watches end
// with 410 Expired, and versions continue after the ones that they have seen, so that no client takes the new
// course for the old one.
func (s *Server) restore(name string) error {
	c := s.checkpoints[name]
	if c == nil {
		return apierrors.NewBadRequest(fmt.Sprintf("there is no checkpoint %q: sim checkpoint makes one", name))
	}
	told := s.cluster.Restore(c)
	for _, watch := range s.watching.All {
		watch.Initial, watch.Marks, watch.Next = nil, false, -1
	}
	s.pace.Rebase()
	s.changed.Broadcast()
	if s.config.Restored != nil {
		s.config.Restored(name, told)
	}
	return nil
}
