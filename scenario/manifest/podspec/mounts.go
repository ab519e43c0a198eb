package podspec

import (
	gopath "path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// mounts checks the volume mounts of a container: each names a valid volume, and no path or device is there twice.
func (v *validator) mounts(c *corev1.Container, path *field.Path) {
	points := sets.New[string]()
	for i := range c.VolumeMounts {
		mount, at := &c.VolumeMounts[i], path.Index(i)
		v.required(at.Child("name"), mount.Name)
		if v.sources[mount.Name] == nil {
			v.add(field.NotFound(at.Child("name"), mount.Name))
		}
		v.required(at.Child("mountPath"), mount.MountPath)
		v.must(!points.Has(mount.MountPath), at.Child("mountPath"), mount.MountPath, "must be unique")
		points.Insert(mount.MountPath)
		sameName := func(d corev1.VolumeDevice) bool { return d.Name == mount.Name }
		samePath := func(d corev1.VolumeDevice) bool { return d.DevicePath == mount.MountPath }
		v.must(!slices.ContainsFunc(c.VolumeDevices, sameName), at.Child("name"), mount.Name,
			"must not already exist in volumeDevices")
		v.must(!slices.ContainsFunc(c.VolumeDevices, samePath), at.Child("mountPath"), mount.MountPath,
			"must not already exist as a path in volumeDevices")
		v.subPaths(mount, at, path)
		v.propagation(mount, c, path.Child("mountPropagation"))
		v.recursive(mount, path.Child("recursiveReadOnly"))
	}
}

// recursive checks recursiveReadOnly: it needs a mount that is read-only, and that sees no mounts of others.
func (v *validator) recursive(mount *corev1.VolumeMount, path *field.Path) {
	if mount.RecursiveReadOnly == nil || *mount.RecursiveReadOnly == corev1.RecursiveReadOnlyDisabled {
		return
	}
	known := []corev1.RecursiveReadOnlyMode{
		corev1.RecursiveReadOnlyDisabled, corev1.RecursiveReadOnlyEnabled, corev1.RecursiveReadOnlyIfPossible,
	}
	if !slices.Contains(known, *mount.RecursiveReadOnly) {
		v.add(field.NotSupported(path, *mount.RecursiveReadOnly, known))
		return
	}
	if !mount.ReadOnly {
		v.add(field.Forbidden(path, "may only be specified when readOnly is true"))
	}
	if mount.MountPropagation != nil && *mount.MountPropagation != corev1.MountPropagationNone {
		v.add(field.Forbidden(path, "may only be specified when mountPropagation is None or not specified"))
	}
}

// subPaths checks the paths within a volume. It names the list and not the entry in places, as the real code does.
func (v *validator) subPaths(mount *corev1.VolumeMount, at, list *field.Path) {
	if mount.SubPath != "" {
		v.descending(mount.SubPath, list.Child("subPath"))
	}
	if mount.SubPathExpr == "" {
		return
	}
	v.must(mount.SubPath == "", at.Child("subPathExpr"), mount.SubPathExpr,
		"subPathExpr and subPath are mutually exclusive")
	v.descending(mount.SubPathExpr, list.Child("subPathExpr"))
}

// propagation checks mountPropagation; Bidirectional needs a privileged container.
func (v *validator) propagation(mount *corev1.VolumeMount, c *corev1.Container, path *field.Path) {
	if mount.MountPropagation == nil {
		return
	}
	oneOf(v, path, *mount.MountPropagation, corev1.MountPropagationBidirectional, corev1.MountPropagationHostToContainer,
		corev1.MountPropagationNone)
	privileged := c.SecurityContext != nil && c.SecurityContext.Privileged != nil && *c.SecurityContext.Privileged
	if *mount.MountPropagation == corev1.MountPropagationBidirectional && !privileged {
		v.add(field.Forbidden(path, "Bidirectional mount propagation is available only to privileged containers"))
	}
}

// descending checks a path that leads downwards: it is relative, and has no "..".
func (v *validator) descending(target string, path *field.Path) {
	v.must(!gopath.IsAbs(target), path, target, "must be a relative path")
	v.noBacksteps(target, path)
}

// noBacksteps checks that a path has no part "..".
func (v *validator) noBacksteps(target string, path *field.Path) {
	v.must(!slices.Contains(strings.Split(target, "/"), ".."), path, target, "must not contain '..'")
}

// devices checks the block devices of a container, which only claims can give.
func (v *validator) devices(c *corev1.Container, path *field.Path) {
	paths, names := sets.New[string](), sets.New[string]()
	for i, device := range c.VolumeDevices {
		at := path.Index(i)
		v.required(at.Child("name"), device.Name)
		v.must(!names.Has(device.Name), at.Child("name"), device.Name, "must be unique")
		if source := v.sources[device.Name]; source == nil {
			v.add(field.NotFound(at.Child("name"), device.Name))
		} else {
			v.must(source.PersistentVolumeClaim != nil || source.Ephemeral != nil, at.Child("name"), device.Name,
				"can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode")
		}
		v.required(at.Child("devicePath"), device.DevicePath)
		v.must(!paths.Has(device.DevicePath), at.Child("devicePath"), device.DevicePath, "must be unique")
		if slices.Contains(strings.Split(device.DevicePath, "/"), "..") {
			v.add(field.Invalid(at.Child("devicePath"), device.DevicePath, "can not contain backsteps ('..')"))
		} else {
			paths.Insert(device.DevicePath)
		}
		v.notMounted(c, &device, at)
		if device.Name != "" {
			names.Insert(device.Name)
		}
	}
}

// notMounted checks that a volume is not both mounted and a device, and that no path is.
func (v *validator) notMounted(c *corev1.Container, device *corev1.VolumeDevice, path *field.Path) {
	sameName := func(m corev1.VolumeMount) bool { return m.Name == device.Name }
	samePath := func(m corev1.VolumeMount) bool { return m.MountPath == device.DevicePath }
	v.must(!slices.ContainsFunc(c.VolumeMounts, sameName), path.Child("name"), device.Name,
		"must not already exist in volumeMounts")
	v.must(!slices.ContainsFunc(c.VolumeMounts, samePath), path.Child("devicePath"), device.DevicePath,
		"must not already exist as a path in volumeMounts")
}
