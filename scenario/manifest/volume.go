package manifest

import (
	corev1 "k8s.io/api/core/v1"
)

// defaultVolume fills in a volume of a pod template. One without a source is an emptyDir.
func defaultVolume(v *corev1.Volume) {
	if v.VolumeSource == (corev1.VolumeSource{}) {
		v.EmptyDir = &corev1.EmptyDirVolumeSource{}
	}
	defaultFiles(&v.VolumeSource)
	if v.HostPath != nil {
		absent(&v.HostPath.Type, corev1.HostPathUnset)
	}
	if v.Image != nil {
		ifEmpty(&v.Image.PullPolicy, pullPolicy(v.Image.Reference))
	}
	if v.Ephemeral != nil && v.Ephemeral.VolumeClaimTemplate != nil {
		defaultClaimSpec(&v.Ephemeral.VolumeClaimTemplate.Spec)
	}
	defaultNetworkDisk(&v.VolumeSource)
}

// defaultFiles is for volumes whose files the kubelet writes.
func defaultFiles(v *corev1.VolumeSource) {
	const mode = int32(0o644)
	if v.Secret != nil {
		absent(&v.Secret.DefaultMode, mode)
	}
	if v.ConfigMap != nil {
		absent(&v.ConfigMap.DefaultMode, mode)
	}
	if v.DownwardAPI != nil {
		absent(&v.DownwardAPI.DefaultMode, mode)
		defaultDownward(v.DownwardAPI.Items)
	}
	if v.Projected == nil {
		return
	}
	absent(&v.Projected.DefaultMode, mode)
	for _, source := range v.Projected.Sources {
		if source.DownwardAPI != nil {
			defaultDownward(source.DownwardAPI.Items)
		}
		if source.ServiceAccountToken != nil {
			absent(&source.ServiceAccountToken.ExpirationSeconds, 3600)
		}
	}
}

// defaultDownward fills in the files of a downward API volume.
func defaultDownward(items []corev1.DownwardAPIVolumeFile) {
	for i := range items {
		defaultFieldRef(items[i].FieldRef)
	}
}

// defaultNetworkDisk is for the sources of volumes that have defaults of their own in the API.
func defaultNetworkDisk(v *corev1.VolumeSource) {
	if v.ISCSI != nil {
		ifEmpty(&v.ISCSI.ISCSIInterface, "default")
	}
	if v.RBD != nil {
		ifEmpty(&v.RBD.RBDPool, "rbd")
		ifEmpty(&v.RBD.RadosUser, "admin")
		ifEmpty(&v.RBD.Keyring, "/etc/ceph/keyring")
	}
	if v.AzureDisk != nil {
		absent(&v.AzureDisk.CachingMode, corev1.AzureDataDiskCachingReadWrite)
		absent(&v.AzureDisk.FSType, "ext4")
		absent(&v.AzureDisk.ReadOnly, false)
		absent(&v.AzureDisk.Kind, corev1.AzureSharedBlobDisk)
	}
	if v.ScaleIO != nil {
		ifEmpty(&v.ScaleIO.StorageMode, "ThinProvisioned")
		ifEmpty(&v.ScaleIO.FSType, "xfs")
	}
}
