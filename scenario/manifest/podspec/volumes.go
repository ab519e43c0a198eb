package podspec

import (
	gopath "path"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// volumes checks the volumes, and notes the valid ones in v.sources. A mount of an invalid volume has an error of
// its own, as upstream.
func (v *validator) volumes(path *field.Path) {
	v.sources = map[string]*corev1.VolumeSource{}
	for i := range v.spec.Volumes {
		volume, at := &v.spec.Volumes[i], path.Index(i)
		before := len(v.errs)
		v.source(&volume.VolumeSource, at)
		if v.required(at.Child("name"), volume.Name) {
			v.invalid(at.Child("name"), volume.Name, validation.IsDNS1123Label(volume.Name))
		}
		if v.sources[volume.Name] != nil {
			v.add(field.Duplicate(at.Child("name"), volume.Name))
		}
		if len(v.errs) == before {
			v.sources[volume.Name] = &volume.VolumeSource
		}
	}
}

// source checks where the files of a volume come from. It must have at most one source; that it has one is certain,
// because the default is an emptyDir.
func (v *validator) source(s *corev1.VolumeSource, path *field.Path) {
	sources := 0
	check := func(given bool, name string, check func(path *field.Path)) {
		switch {
		case !given:
		case sources > 0:
			v.add(field.Forbidden(path.Child(name), "may not specify more than 1 volume type"))
		default:
			sources++
			if check != nil {
				check(path.Child(name))
			}
		}
	}
	check(s.EmptyDir != nil, "emptyDir", func(path *field.Path) {
		if limit := s.EmptyDir.SizeLimit; limit != nil && limit.Sign() < 0 {
			v.add(field.Forbidden(path.Child("sizeLimit"), "SizeLimit field must be a valid resource quantity"))
		}
	})
	check(s.HostPath != nil, "hostPath", func(path *field.Path) { v.hostPath(s.HostPath, path) })
	check(s.Secret != nil, "secret", func(path *field.Path) {
		v.required(path.Child("secretName"), s.Secret.SecretName)
		v.files(s.Secret.DefaultMode, s.Secret.Items, path)
	})
	check(s.NFS != nil, "nfs", func(path *field.Path) { v.nfs(s.NFS, path) })
	check(s.PersistentVolumeClaim != nil, "persistentVolumeClaim", func(path *field.Path) {
		v.required(path.Child("claimName"), s.PersistentVolumeClaim.ClaimName)
	})
	check(s.DownwardAPI != nil, "downwardAPI", func(path *field.Path) {
		v.mode(s.DownwardAPI.DefaultMode, path.Child("defaultMode"))
		v.downward(s.DownwardAPI.Items, path, nil)
	})
	check(s.ConfigMap != nil, "configMap", func(path *field.Path) {
		v.required(path.Child("name"), s.ConfigMap.Name)
		v.files(s.ConfigMap.DefaultMode, s.ConfigMap.Items, path)
	})
	check(s.Projected != nil, "projected", func(path *field.Path) { v.projected(s.Projected, path) })
	check(s.CSI != nil, "csi", func(path *field.Path) { v.required(path.Child("driver"), s.CSI.Driver) })
	check(s.Ephemeral != nil, "ephemeral", func(path *field.Path) {
		if s.Ephemeral.VolumeClaimTemplate == nil {
			v.add(field.Required(path.Child("volumeClaimTemplate"), ""))
		}
	})
}

// hostPath checks a path of the node.
func (v *validator) hostPath(s *corev1.HostPathVolumeSource, path *field.Path) {
	if !v.required(path.Child("path"), s.Path) {
		return
	}
	v.noBacksteps(s.Path, path.Child("path"))
	if s.Type != nil && *s.Type != corev1.HostPathUnset {
		oneOf(v, path.Child("type"), *s.Type, corev1.HostPathUnset, corev1.HostPathBlockDev, corev1.HostPathCharDev,
			corev1.HostPathDirectory, corev1.HostPathDirectoryOrCreate, corev1.HostPathFile, corev1.HostPathFileOrCreate,
			corev1.HostPathSocket)
	}
}

// nfs checks a share.
func (v *validator) nfs(s *corev1.NFSVolumeSource, path *field.Path) {
	v.required(path.Child("server"), s.Server)
	v.required(path.Child("path"), s.Path)
	v.must(gopath.IsAbs(s.Path), path.Child("path"), s.Path, "must be an absolute path")
}

// mode checks the permissions of a file.
func (v *validator) mode(mode *int32, path *field.Path) {
	if mode != nil {
		v.must(*mode >= 0 && *mode <= 0o777, path, *mode, "must be a number between 0 and 0777 (octal), both inclusive")
	}
}

// files checks the files of a ConfigMap or of a Secret.
func (v *validator) files(mode *int32, items []corev1.KeyToPath, path *field.Path) {
	v.mode(mode, path.Child("defaultMode"))
	for i := range items {
		v.file(&items[i], path.Child("items").Index(i))
	}
}

// file checks one key of a ConfigMap or of a Secret and the path that it gets.
func (v *validator) file(item *corev1.KeyToPath, path *field.Path) {
	v.required(path.Child("key"), item.Key)
	v.required(path.Child("path"), item.Path)
	v.notReserved(item.Path, path.Child("path"))
	v.mode(item.Mode, path.Child("mode"))
}

// notReserved checks a path below a volume: paths that start with two dots belong to the kubelet.
func (v *validator) notReserved(target string, path *field.Path) {
	v.descending(target, path)
	reserved := len(target) >= 2 && target[:2] == ".." && (len(target) < 3 || target[:3] != "../")
	v.must(!reserved, path, target, "must not start with '..'")
}

// downward checks the files of a downward API volume. seen, if it is not nil, is told each path. Errors name the
// volume and not the item, as upstream.
func (v *validator) downward(items []corev1.DownwardAPIVolumeFile, path *field.Path, seen func(string)) {
	for i := range items {
		item := &items[i]
		v.required(path.Child("path"), item.Path)
		v.notReserved(item.Path, path.Child("path"))
		switch {
		case item.FieldRef != nil:
			v.fieldRef(item.FieldRef, volumeFields, path.Child("fieldRef"))
			if item.ResourceFieldRef != nil {
				v.add(field.Invalid(path, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously"))
			}
		case item.ResourceFieldRef != nil:
			if v.required(path.Child("resourceFieldRef", "containerName"), item.ResourceFieldRef.ContainerName) {
				v.resourceFieldRef(item.ResourceFieldRef, path.Child("resourceFieldRef"))
			}
		default:
			v.add(field.Required(path, "one of fieldRef and resourceFieldRef is required"))
		}
		v.mode(item.Mode, path.Child("mode"))
		if seen != nil {
			seen(item.Path)
		}
	}
}

// projected checks a volume of several sources. No two of them may write the same path.
func (v *validator) projected(s *corev1.ProjectedVolumeSource, path *field.Path) {
	v.mode(s.DefaultMode, path.Child("defaultMode"))
	paths := sets.New[string]()
	seen := func(name string) func(string) {
		return func(target string) {
			v.must(target == "" || !paths.Has(target), path, name, "conflicting duplicate paths")
			paths.Insert(target)
		}
	}
	for i := range s.Sources {
		v.projection(&s.Sources[i], path, path.Child("sources").Index(i), seen)
	}
}

// projection checks one of the sources, at path in the list. seen(name) returns a function that notes a path which the
// source of that name writes. The expiry of a token must have its default: it is never nil.
func (v *validator) projection(s *corev1.VolumeProjection, list, path *field.Path, seen func(string) func(string)) {
	sources := 0
	keys := func(name string, items []corev1.KeyToPath, path *field.Path) {
		sources++
		v.required(path.Child("name"), name)
		for i := range items {
			v.file(&items[i], path.Child("items").Index(i))
			seen(name)(items[i].Path)
		}
	}
	if s.Secret != nil {
		keys(s.Secret.Name, s.Secret.Items, path.Child("secret"))
	}
	if s.ConfigMap != nil {
		keys(s.ConfigMap.Name, s.ConfigMap.Items, path.Child("configMap"))
	}
	if s.DownwardAPI != nil {
		sources++
		v.downward(s.DownwardAPI.Items, path.Child("downwardAPI"), func(target string) { seen(target)(target) })
	}
	if token := s.ServiceAccountToken; token != nil {
		sources++
		at := path.Child("serviceAccountToken", "expirationSeconds")
		v.must(*token.ExpirationSeconds >= 600, at, *token.ExpirationSeconds,
			"may not specify a duration less than 10 minutes")
		if v.required(list.Child("path"), token.Path) {
			v.notReserved(token.Path, list.Child("path"))
		}
	}
	if sources > 1 {
		v.add(field.Forbidden(path, "may not specify more than 1 volume type per source"))
	}
}
