package podspec

import (
	corev1 "k8s.io/api/core/v1"
)

// shownSecurity is the security context of a container as a refusal shows it: the API server's own type as JSON, with
// Go's names of the fields, and with those that are not set.
type shownSecurity struct {
	Capabilities                                                   *shownCapabilities
	Privileged                                                     *bool
	SELinuxOptions                                                 *shownSELinux
	WindowsOptions                                                 *shownWindows
	RunAsUser, RunAsGroup                                          *int64
	RunAsNonRoot, ReadOnlyRootFilesystem, AllowPrivilegeEscalation *bool
	ProcMount                                                      *corev1.ProcMountType
	SeccompProfile, AppArmorProfile                                *shownProfile
}

type (
	shownCapabilities struct{ Add, Drop []corev1.Capability }
	shownSELinux      struct{ User, Role, Type, Level string }
	shownWindows      struct {
		GMSACredentialSpecName, GMSACredentialSpec, RunAsUserName *string
		HostProcess                                               *bool
	}
	shownProfile struct {
		Type             string
		LocalhostProfile *string
	}
)

// showSecurity renders a security context for a refusal; see shownSecurity.
func showSecurity(s *corev1.SecurityContext) *shownSecurity {
	shown := &shownSecurity{
		Privileged: s.Privileged, RunAsUser: s.RunAsUser, RunAsGroup: s.RunAsGroup, RunAsNonRoot: s.RunAsNonRoot,
		ReadOnlyRootFilesystem: s.ReadOnlyRootFilesystem, AllowPrivilegeEscalation: s.AllowPrivilegeEscalation,
		ProcMount: s.ProcMount, SeccompProfile: showSeccomp(s.SeccompProfile),
	}
	if c := s.Capabilities; c != nil {
		shown.Capabilities = &shownCapabilities{c.Add, c.Drop}
	}
	if o := s.SELinuxOptions; o != nil {
		shown.SELinuxOptions = &shownSELinux{o.User, o.Role, o.Type, o.Level}
	}
	if w := s.WindowsOptions; w != nil {
		shown.WindowsOptions = &shownWindows{w.GMSACredentialSpecName, w.GMSACredentialSpec, w.RunAsUserName, w.HostProcess}
	}
	if p := s.AppArmorProfile; p != nil {
		shown.AppArmorProfile = &shownProfile{string(p.Type), p.LocalhostProfile}
	}
	return shown
}

// showSeccomp renders a seccomp profile; nil is none.
func showSeccomp(p *corev1.SeccompProfile) *shownProfile {
	if p == nil {
		return nil
	}
	return &shownProfile{string(p.Type), p.LocalhostProfile}
}
