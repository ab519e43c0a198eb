package podspec

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// security checks the security context of a container; nil is none.
func (v *validator) security(s *corev1.SecurityContext, path *field.Path) {
	if s == nil {
		return
	}
	v.user(s.RunAsUser, path.Child("runAsUser"))
	v.group(s.RunAsGroup, path.Child("runAsGroup"))
	v.procMount(s.ProcMount, path.Child("procMount"))
	v.seccomp(s.SeccompProfile, path.Child("seccompProfile"))
	if s.AllowPrivilegeEscalation == nil || *s.AllowPrivilegeEscalation {
		return
	}
	v.must(s.Privileged == nil || !*s.Privileged, path, showSecurity(s),
		"cannot set `allowPrivilegeEscalation` to false and `privileged` to true")
	if s.Capabilities == nil {
		return
	}
	for _, capability := range s.Capabilities.Add {
		v.must(capability != "CAP_SYS_ADMIN", path, showSecurity(s),
			"cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN")
	}
}

// procMount checks how a container sees /proc; nil is not given. All of it is for pods that have users of their own.
func (v *validator) procMount(mount *corev1.ProcMountType, path *field.Path) {
	if mount == nil {
		return
	}
	oneOf(v, path, *mount, corev1.DefaultProcMount, corev1.UnmaskedProcMount)
	own := v.spec.HostUsers != nil && !*v.spec.HostUsers
	v.must(own || *mount != corev1.UnmaskedProcMount, path, *mount, "`hostUsers` must be false to use `Unmasked`")
}

// podSecurity checks the security context of the pod.
func (v *validator) podSecurity(path *field.Path) {
	s := v.spec.SecurityContext
	if s == nil {
		return
	}
	v.group(s.FSGroup, path.Child("fsGroup"))
	v.user(s.RunAsUser, path.Child("runAsUser"))
	v.group(s.RunAsGroup, path.Child("runAsGroup"))
	for i := range s.SupplementalGroups {
		v.group(&s.SupplementalGroups[i], path.Child("supplementalGroups").Index(i))
	}
	if v.before {
		v.share(path)
	}
	if s.FSGroupChangePolicy != nil {
		oneOf(v, path.Child("fsGroupChangePolicy"), *s.FSGroupChangePolicy, corev1.FSGroupChangeAlways,
			corev1.FSGroupChangeOnRootMismatch)
	}
	v.seccomp(s.SeccompProfile, path.Child("seccompProfile"))
}

// share checks that only one of two says whose processes a container sees. path is the part that the refusal names:
// before 1.37 it is the security context.
func (v *validator) share(path *field.Path) {
	if share := v.spec.ShareProcessNamespace; share != nil && *share && v.spec.HostPID {
		v.add(field.Invalid(path.Child("shareProcessNamespace"), true,
			"ShareProcessNamespace and HostPID cannot both be enabled"))
	}
}

// user and group check the number of a user or a group; nil is not given.
func (v *validator) user(id *int64, path *field.Path) {
	if id != nil {
		v.invalid(path, *id, validation.IsValidUserID(*id))
	}
}

// group checks the number of a group; nil is right.
func (v *validator) group(id *int64, path *field.Path) {
	if id != nil {
		v.invalid(path, *id, validation.IsValidGroupID(*id))
	}
}

// seccomp checks a seccomp profile; nil is none. Localhost needs the path of a profile, and only it may have one.
func (v *validator) seccomp(profile *corev1.SeccompProfile, path *field.Path) {
	if profile == nil {
		return
	}
	v.seccompType(profile.Type, path.Child("type"))
	at := path.Child("localhostProfile")
	switch local := profile.Type == corev1.SeccompProfileTypeLocalhost; {
	case local && profile.LocalhostProfile == nil:
		v.add(field.Required(at, "must be set when seccomp type is Localhost"))
	case local:
		v.descending(*profile.LocalhostProfile, at)
	case profile.LocalhostProfile != nil:
		v.add(field.Invalid(at, showSeccomp(profile), "can only be set when seccomp type is Localhost"))
	}
}

// seccompType checks the type of a seccomp profile, which every profile has.
func (v *validator) seccompType(kind corev1.SeccompProfileType, path *field.Path) {
	if kind == "" {
		v.add(field.Required(path, "type is required when seccompProfile is set"))
		return
	}
	oneOf(v, path, kind, corev1.SeccompProfileTypeLocalhost, corev1.SeccompProfileTypeRuntimeDefault,
		corev1.SeccompProfileTypeUnconfined)
}
