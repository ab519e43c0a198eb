// Code generated from k8s.io/api/core/v1 of k8s.io/api v0.37.2; DO NOT EDIT.

/*
Copyright 2017 The Kubernetes Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

/*
Copyright 2015 The Kubernetes Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

/*
Copyright 2019 The Kubernetes Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

/*
Copyright The Kubernetes Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

// Package v1 is the part of k8s.io/api/core/v1 that sim uses.
package v1

import (
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/api/resource"
	metav1 "github.com/statefulsim/statefulsim/scenario/kube/apimachinery/apis/meta/v1"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/types"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/util/intstr"
)

func (rn ResourceName) String() string {
	return string(rn)
}

func (rl *ResourceList) Name(name ResourceName, defaultFormat resource.Format) *resource.Quantity {
	if val, ok := (*rl)[name]; ok {
		return &val
	}
	return &resource.Quantity{Format: defaultFormat}
}

type Volume struct {
	Name         string `json:"name"`
	VolumeSource `json:""`
}

type VolumeSource struct {
	HostPath              *HostPathVolumeSource              `json:"hostPath,omitempty"`
	EmptyDir              *EmptyDirVolumeSource              `json:"emptyDir,omitempty"`
	GCEPersistentDisk     *GCEPersistentDiskVolumeSource     `json:"gcePersistentDisk,omitempty"`
	AWSElasticBlockStore  *AWSElasticBlockStoreVolumeSource  `json:"awsElasticBlockStore,omitempty"`
	GitRepo               *GitRepoVolumeSource               `json:"gitRepo,omitempty"`
	Secret                *SecretVolumeSource                `json:"secret,omitempty"`
	NFS                   *NFSVolumeSource                   `json:"nfs,omitempty"`
	ISCSI                 *ISCSIVolumeSource                 `json:"iscsi,omitempty"`
	Glusterfs             *GlusterfsVolumeSource             `json:"glusterfs,omitempty"`
	PersistentVolumeClaim *PersistentVolumeClaimVolumeSource `json:"persistentVolumeClaim,omitempty"`
	RBD                   *RBDVolumeSource                   `json:"rbd,omitempty"`
	FlexVolume            *FlexVolumeSource                  `json:"flexVolume,omitempty"`
	Cinder                *CinderVolumeSource                `json:"cinder,omitempty"`
	CephFS                *CephFSVolumeSource                `json:"cephfs,omitempty"`
	Flocker               *FlockerVolumeSource               `json:"flocker,omitempty"`
	DownwardAPI           *DownwardAPIVolumeSource           `json:"downwardAPI,omitempty"`
	FC                    *FCVolumeSource                    `json:"fc,omitempty"`
	AzureFile             *AzureFileVolumeSource             `json:"azureFile,omitempty"`
	ConfigMap             *ConfigMapVolumeSource             `json:"configMap,omitempty"`
	VsphereVolume         *VsphereVirtualDiskVolumeSource    `json:"vsphereVolume,omitempty"`
	Quobyte               *QuobyteVolumeSource               `json:"quobyte,omitempty"`
	AzureDisk             *AzureDiskVolumeSource             `json:"azureDisk,omitempty"`
	PhotonPersistentDisk  *PhotonPersistentDiskVolumeSource  `json:"photonPersistentDisk,omitempty"`
	Projected             *ProjectedVolumeSource             `json:"projected,omitempty"`
	PortworxVolume        *PortworxVolumeSource              `json:"portworxVolume,omitempty"`
	ScaleIO               *ScaleIOVolumeSource               `json:"scaleIO,omitempty"`
	StorageOS             *StorageOSVolumeSource             `json:"storageos,omitempty"`
	CSI                   *CSIVolumeSource                   `json:"csi,omitempty"`
	Ephemeral             *EphemeralVolumeSource             `json:"ephemeral,omitempty"`
	Image                 *ImageVolumeSource                 `json:"image,omitempty"`
}

type PersistentVolumeClaimVolumeSource struct {
	ClaimName string `json:"claimName"`
	ReadOnly  bool   `json:"readOnly,omitempty"`
}

type PersistentVolumeSource struct {
	GCEPersistentDisk    *GCEPersistentDiskVolumeSource    `json:"gcePersistentDisk,omitempty"`
	AWSElasticBlockStore *AWSElasticBlockStoreVolumeSource `json:"awsElasticBlockStore,omitempty"`
	HostPath             *HostPathVolumeSource             `json:"hostPath,omitempty"`
	Glusterfs            *GlusterfsPersistentVolumeSource  `json:"glusterfs,omitempty"`
	NFS                  *NFSVolumeSource                  `json:"nfs,omitempty"`
	RBD                  *RBDPersistentVolumeSource        `json:"rbd,omitempty"`
	ISCSI                *ISCSIPersistentVolumeSource      `json:"iscsi,omitempty"`
	Cinder               *CinderPersistentVolumeSource     `json:"cinder,omitempty"`
	CephFS               *CephFSPersistentVolumeSource     `json:"cephfs,omitempty"`
	FC                   *FCVolumeSource                   `json:"fc,omitempty"`
	Flocker              *FlockerVolumeSource              `json:"flocker,omitempty"`
	FlexVolume           *FlexPersistentVolumeSource       `json:"flexVolume,omitempty"`
	AzureFile            *AzureFilePersistentVolumeSource  `json:"azureFile,omitempty"`
	VsphereVolume        *VsphereVirtualDiskVolumeSource   `json:"vsphereVolume,omitempty"`
	Quobyte              *QuobyteVolumeSource              `json:"quobyte,omitempty"`
	AzureDisk            *AzureDiskVolumeSource            `json:"azureDisk,omitempty"`
	PhotonPersistentDisk *PhotonPersistentDiskVolumeSource `json:"photonPersistentDisk,omitempty"`
	PortworxVolume       *PortworxVolumeSource             `json:"portworxVolume,omitempty"`
	ScaleIO              *ScaleIOPersistentVolumeSource    `json:"scaleIO,omitempty"`
	Local                *LocalVolumeSource                `json:"local,omitempty"`
	StorageOS            *StorageOSPersistentVolumeSource  `json:"storageos,omitempty"`
	CSI                  *CSIPersistentVolumeSource        `json:"csi,omitempty"`
}

type PersistentVolume struct {
	metav1.TypeMeta   `json:""`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              PersistentVolumeSpec   `json:"spec,omitempty"`
	Status            PersistentVolumeStatus `json:"status,omitempty"`
}

type PersistentVolumeSpec struct {
	Capacity                      ResourceList `json:"capacity,omitempty"`
	PersistentVolumeSource        `json:""`
	AccessModes                   []PersistentVolumeAccessMode  `json:"accessModes,omitempty"`
	ClaimRef                      *ObjectReference              `json:"claimRef,omitempty"`
	PersistentVolumeReclaimPolicy PersistentVolumeReclaimPolicy `json:"persistentVolumeReclaimPolicy,omitempty"`
	StorageClassName              string                        `json:"storageClassName,omitempty"`
	MountOptions                  []string                      `json:"mountOptions,omitempty"`
	VolumeMode                    *PersistentVolumeMode         `json:"volumeMode,omitempty"`
	NodeAffinity                  *VolumeNodeAffinity           `json:"nodeAffinity,omitempty"`
	VolumeAttributesClassName     *string                       `json:"volumeAttributesClassName,omitempty"`
}

type VolumeNodeAffinity struct {
	Required *NodeSelector `json:"required,omitempty"`
}

type PersistentVolumeReclaimPolicy string

type PersistentVolumeMode string

const PersistentVolumeBlock PersistentVolumeMode = "Block"

const PersistentVolumeFilesystem PersistentVolumeMode = "Filesystem"

type PersistentVolumeStatus struct {
	Phase                   PersistentVolumePhase `json:"phase,omitempty"`
	Message                 string                `json:"message,omitempty"`
	Reason                  string                `json:"reason,omitempty"`
	LastPhaseTransitionTime *metav1.Time          `json:"lastPhaseTransitionTime,omitempty"`
}

type PersistentVolumeClaim struct {
	metav1.TypeMeta   `json:""`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              PersistentVolumeClaimSpec   `json:"spec,omitempty"`
	Status            PersistentVolumeClaimStatus `json:"status,omitempty"`
}

type PersistentVolumeClaimSpec struct {
	AccessModes               []PersistentVolumeAccessMode `json:"accessModes,omitempty"`
	Selector                  *metav1.LabelSelector        `json:"selector,omitempty"`
	Resources                 VolumeResourceRequirements   `json:"resources,omitempty"`
	VolumeName                string                       `json:"volumeName,omitempty"`
	StorageClassName          *string                      `json:"storageClassName,omitempty"`
	VolumeMode                *PersistentVolumeMode        `json:"volumeMode,omitempty"`
	DataSource                *TypedLocalObjectReference   `json:"dataSource,omitempty"`
	DataSourceRef             *TypedObjectReference        `json:"dataSourceRef,omitempty"`
	VolumeAttributesClassName *string                      `json:"volumeAttributesClassName,omitempty"`
}

type TypedObjectReference struct {
	APIGroup  *string `json:"apiGroup"`
	Kind      string  `json:"kind"`
	Name      string  `json:"name"`
	Namespace *string `json:"namespace,omitempty"`
}

type PersistentVolumeClaimConditionType string

type ClaimResourceStatus string

type PersistentVolumeClaimModifyVolumeStatus string

type ModifyVolumeStatus struct {
	TargetVolumeAttributesClassName string                                  `json:"targetVolumeAttributesClassName,omitempty"`
	Status                          PersistentVolumeClaimModifyVolumeStatus `json:"status"`
}

type PersistentVolumeClaimCondition struct {
	Type               PersistentVolumeClaimConditionType `json:"type"`
	Status             ConditionStatus                    `json:"status"`
	LastProbeTime      metav1.Time                        `json:"lastProbeTime,omitempty"`
	LastTransitionTime metav1.Time                        `json:"lastTransitionTime,omitempty"`
	Reason             string                             `json:"reason,omitempty"`
	Message            string                             `json:"message,omitempty"`
}

type VolumeHealthStatusType string

type VolumeHealthCondition struct {
	Status  VolumeHealthStatusType `json:"status"`
	Reason  string                 `json:"reason"`
	Message string                 `json:"message,omitempty"`
}

type VolumeHealthStatus struct {
	HealthConditions   []VolumeHealthCondition `json:"healthConditions,omitempty" patchStrategy:"merge" patchMergeKey:"status"`
	LastTransitionTime metav1.Time             `json:"lastTransitionTime,omitempty"`
}

type PodVolumeHealth struct {
	Name               string                  `json:"name"`
	HealthConditions   []VolumeHealthCondition `json:"healthConditions,omitempty" patchStrategy:"merge" patchMergeKey:"status"`
	LastTransitionTime metav1.Time             `json:"lastTransitionTime,omitempty"`
}

type PersistentVolumeClaimStatus struct {
	Phase                            PersistentVolumeClaimPhase           `json:"phase,omitempty"`
	AccessModes                      []PersistentVolumeAccessMode         `json:"accessModes,omitempty"`
	Capacity                         ResourceList                         `json:"capacity,omitempty"`
	Conditions                       []PersistentVolumeClaimCondition     `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
	AllocatedResources               ResourceList                         `json:"allocatedResources,omitempty"`
	AllocatedResourceStatuses        map[ResourceName]ClaimResourceStatus `json:"allocatedResourceStatuses,omitempty"`
	CurrentVolumeAttributesClassName *string                              `json:"currentVolumeAttributesClassName,omitempty"`
	ModifyVolumeStatus               *ModifyVolumeStatus                  `json:"modifyVolumeStatus,omitempty"`
	HealthStatus                     *VolumeHealthStatus                  `json:"healthStatus,omitempty"`
}

type PersistentVolumeAccessMode string

type PersistentVolumePhase string

type PersistentVolumeClaimPhase string

const ClaimPending PersistentVolumeClaimPhase = "Pending"

const ClaimBound PersistentVolumeClaimPhase = "Bound"

type HostPathType string

const HostPathUnset HostPathType = ""

const HostPathDirectoryOrCreate HostPathType = "DirectoryOrCreate"

const HostPathDirectory HostPathType = "Directory"

const HostPathFileOrCreate HostPathType = "FileOrCreate"

const HostPathFile HostPathType = "File"

const HostPathSocket HostPathType = "Socket"

const HostPathCharDev HostPathType = "CharDevice"

const HostPathBlockDev HostPathType = "BlockDevice"

type HostPathVolumeSource struct {
	Path string        `json:"path"`
	Type *HostPathType `json:"type,omitempty"`
}

type EmptyDirVolumeSource struct {
	Medium    StorageMedium      `json:"medium,omitempty"`
	SizeLimit *resource.Quantity `json:"sizeLimit,omitempty"`
	Mode      *int32             `json:"mode,omitempty"`
}

type GlusterfsVolumeSource struct {
	EndpointsName string `json:"endpoints"`
	Path          string `json:"path"`
	ReadOnly      bool   `json:"readOnly,omitempty"`
}

type GlusterfsPersistentVolumeSource struct {
	EndpointsName      string  `json:"endpoints"`
	Path               string  `json:"path"`
	ReadOnly           bool    `json:"readOnly,omitempty"`
	EndpointsNamespace *string `json:"endpointsNamespace,omitempty"`
}

type RBDVolumeSource struct {
	CephMonitors []string              `json:"monitors"`
	RBDImage     string                `json:"image"`
	FSType       string                `json:"fsType,omitempty"`
	RBDPool      string                `json:"pool,omitempty"`
	RadosUser    string                `json:"user,omitempty"`
	Keyring      string                `json:"keyring,omitempty"`
	SecretRef    *LocalObjectReference `json:"secretRef,omitempty"`
	ReadOnly     bool                  `json:"readOnly,omitempty"`
}

type RBDPersistentVolumeSource struct {
	CephMonitors []string         `json:"monitors"`
	RBDImage     string           `json:"image"`
	FSType       string           `json:"fsType,omitempty"`
	RBDPool      string           `json:"pool,omitempty"`
	RadosUser    string           `json:"user,omitempty"`
	Keyring      string           `json:"keyring,omitempty"`
	SecretRef    *SecretReference `json:"secretRef,omitempty"`
	ReadOnly     bool             `json:"readOnly,omitempty"`
}

type CinderVolumeSource struct {
	VolumeID  string                `json:"volumeID"`
	FSType    string                `json:"fsType,omitempty"`
	ReadOnly  bool                  `json:"readOnly,omitempty"`
	SecretRef *LocalObjectReference `json:"secretRef,omitempty"`
}

type CinderPersistentVolumeSource struct {
	VolumeID  string           `json:"volumeID"`
	FSType    string           `json:"fsType,omitempty"`
	ReadOnly  bool             `json:"readOnly,omitempty"`
	SecretRef *SecretReference `json:"secretRef,omitempty"`
}

type CephFSVolumeSource struct {
	Monitors   []string              `json:"monitors"`
	Path       string                `json:"path,omitempty"`
	User       string                `json:"user,omitempty"`
	SecretFile string                `json:"secretFile,omitempty"`
	SecretRef  *LocalObjectReference `json:"secretRef,omitempty"`
	ReadOnly   bool                  `json:"readOnly,omitempty"`
}

type SecretReference struct {
	Name      string `json:"name,omitempty"`
	Namespace string `json:"namespace,omitempty"`
}

type CephFSPersistentVolumeSource struct {
	Monitors   []string         `json:"monitors"`
	Path       string           `json:"path,omitempty"`
	User       string           `json:"user,omitempty"`
	SecretFile string           `json:"secretFile,omitempty"`
	SecretRef  *SecretReference `json:"secretRef,omitempty"`
	ReadOnly   bool             `json:"readOnly,omitempty"`
}

type FlockerVolumeSource struct {
	DatasetName string `json:"datasetName,omitempty"`
	DatasetUUID string `json:"datasetUUID,omitempty"`
}

type StorageMedium string

type Protocol string

const ProtocolTCP Protocol = "TCP"

const ProtocolUDP Protocol = "UDP"

const ProtocolSCTP Protocol = "SCTP"

type GCEPersistentDiskVolumeSource struct {
	PDName    string `json:"pdName"`
	FSType    string `json:"fsType,omitempty"`
	Partition int32  `json:"partition,omitempty"`
	ReadOnly  bool   `json:"readOnly,omitempty"`
}

type QuobyteVolumeSource struct {
	Registry string `json:"registry"`
	Volume   string `json:"volume"`
	ReadOnly bool   `json:"readOnly,omitempty"`
	User     string `json:"user,omitempty"`
	Group    string `json:"group,omitempty"`
	Tenant   string `json:"tenant,omitempty"`
}

type FlexPersistentVolumeSource struct {
	Driver    string            `json:"driver"`
	FSType    string            `json:"fsType,omitempty"`
	SecretRef *SecretReference  `json:"secretRef,omitempty"`
	ReadOnly  bool              `json:"readOnly,omitempty"`
	Options   map[string]string `json:"options,omitempty"`
}

type FlexVolumeSource struct {
	Driver    string                `json:"driver"`
	FSType    string                `json:"fsType,omitempty"`
	SecretRef *LocalObjectReference `json:"secretRef,omitempty"`
	ReadOnly  bool                  `json:"readOnly,omitempty"`
	Options   map[string]string     `json:"options,omitempty"`
}

type AWSElasticBlockStoreVolumeSource struct {
	VolumeID  string `json:"volumeID"`
	FSType    string `json:"fsType,omitempty"`
	Partition int32  `json:"partition,omitempty"`
	ReadOnly  bool   `json:"readOnly,omitempty"`
}

type GitRepoVolumeSource struct {
	Repository string `json:"repository"`
	Revision   string `json:"revision,omitempty"`
	Directory  string `json:"directory,omitempty"`
}

type SecretVolumeSource struct {
	SecretName  string      `json:"secretName,omitempty"`
	Items       []KeyToPath `json:"items,omitempty"`
	DefaultMode *int32      `json:"defaultMode,omitempty"`
	Optional    *bool       `json:"optional,omitempty"`
	DefaultUser *int64      `json:"defaultUser,omitempty"`
}

type SecretProjection struct {
	LocalObjectReference `json:""`
	Items                []KeyToPath `json:"items,omitempty"`
	Optional             *bool       `json:"optional,omitempty"`
}

type NFSVolumeSource struct {
	Server   string `json:"server"`
	Path     string `json:"path"`
	ReadOnly bool   `json:"readOnly,omitempty"`
}

type ISCSIVolumeSource struct {
	TargetPortal      string                `json:"targetPortal"`
	IQN               string                `json:"iqn"`
	Lun               int32                 `json:"lun"`
	ISCSIInterface    string                `json:"iscsiInterface,omitempty"`
	FSType            string                `json:"fsType,omitempty"`
	ReadOnly          bool                  `json:"readOnly,omitempty"`
	Portals           []string              `json:"portals,omitempty"`
	DiscoveryCHAPAuth bool                  `json:"chapAuthDiscovery,omitempty"`
	SessionCHAPAuth   bool                  `json:"chapAuthSession,omitempty"`
	SecretRef         *LocalObjectReference `json:"secretRef,omitempty"`
	InitiatorName     *string               `json:"initiatorName,omitempty"`
}

type ISCSIPersistentVolumeSource struct {
	TargetPortal      string           `json:"targetPortal"`
	IQN               string           `json:"iqn"`
	Lun               int32            `json:"lun"`
	ISCSIInterface    string           `json:"iscsiInterface,omitempty"`
	FSType            string           `json:"fsType,omitempty"`
	ReadOnly          bool             `json:"readOnly,omitempty"`
	Portals           []string         `json:"portals,omitempty"`
	DiscoveryCHAPAuth bool             `json:"chapAuthDiscovery,omitempty"`
	SessionCHAPAuth   bool             `json:"chapAuthSession,omitempty"`
	SecretRef         *SecretReference `json:"secretRef,omitempty"`
	InitiatorName     *string          `json:"initiatorName,omitempty"`
}

type FCVolumeSource struct {
	TargetWWNs []string `json:"targetWWNs,omitempty"`
	Lun        *int32   `json:"lun,omitempty"`
	FSType     string   `json:"fsType,omitempty"`
	ReadOnly   bool     `json:"readOnly,omitempty"`
	WWIDs      []string `json:"wwids,omitempty"`
}

type AzureFileVolumeSource struct {
	SecretName string `json:"secretName"`
	ShareName  string `json:"shareName"`
	ReadOnly   bool   `json:"readOnly,omitempty"`
}

type AzureFilePersistentVolumeSource struct {
	SecretName      string  `json:"secretName"`
	ShareName       string  `json:"shareName"`
	ReadOnly        bool    `json:"readOnly,omitempty"`
	SecretNamespace *string `json:"secretNamespace"`
}

type VsphereVirtualDiskVolumeSource struct {
	VolumePath        string `json:"volumePath"`
	FSType            string `json:"fsType,omitempty"`
	StoragePolicyName string `json:"storagePolicyName,omitempty"`
	StoragePolicyID   string `json:"storagePolicyID,omitempty"`
}

type PhotonPersistentDiskVolumeSource struct {
	PdID   string `json:"pdID"`
	FSType string `json:"fsType,omitempty"`
}

type AzureDataDiskCachingMode string

type AzureDataDiskKind string

const AzureDataDiskCachingReadWrite AzureDataDiskCachingMode = "ReadWrite"

const AzureSharedBlobDisk AzureDataDiskKind = "Shared"

type AzureDiskVolumeSource struct {
	DiskName    string                    `json:"diskName"`
	DataDiskURI string                    `json:"diskURI"`
	CachingMode *AzureDataDiskCachingMode `json:"cachingMode,omitempty"`
	FSType      *string                   `json:"fsType,omitempty"`
	ReadOnly    *bool                     `json:"readOnly,omitempty"`
	Kind        *AzureDataDiskKind        `json:"kind,omitempty"`
}

type PortworxVolumeSource struct {
	VolumeID string `json:"volumeID"`
	FSType   string `json:"fsType,omitempty"`
	ReadOnly bool   `json:"readOnly,omitempty"`
}

type ScaleIOVolumeSource struct {
	Gateway          string                `json:"gateway"`
	System           string                `json:"system"`
	SecretRef        *LocalObjectReference `json:"secretRef"`
	SSLEnabled       bool                  `json:"sslEnabled,omitempty"`
	ProtectionDomain string                `json:"protectionDomain,omitempty"`
	StoragePool      string                `json:"storagePool,omitempty"`
	StorageMode      string                `json:"storageMode,omitempty"`
	VolumeName       string                `json:"volumeName,omitempty"`
	FSType           string                `json:"fsType,omitempty"`
	ReadOnly         bool                  `json:"readOnly,omitempty"`
}

type ScaleIOPersistentVolumeSource struct {
	Gateway          string           `json:"gateway"`
	System           string           `json:"system"`
	SecretRef        *SecretReference `json:"secretRef"`
	SSLEnabled       bool             `json:"sslEnabled,omitempty"`
	ProtectionDomain string           `json:"protectionDomain,omitempty"`
	StoragePool      string           `json:"storagePool,omitempty"`
	StorageMode      string           `json:"storageMode,omitempty"`
	VolumeName       string           `json:"volumeName,omitempty"`
	FSType           string           `json:"fsType,omitempty"`
	ReadOnly         bool             `json:"readOnly,omitempty"`
}

type StorageOSVolumeSource struct {
	VolumeName      string                `json:"volumeName,omitempty"`
	VolumeNamespace string                `json:"volumeNamespace,omitempty"`
	FSType          string                `json:"fsType,omitempty"`
	ReadOnly        bool                  `json:"readOnly,omitempty"`
	SecretRef       *LocalObjectReference `json:"secretRef,omitempty"`
}

type StorageOSPersistentVolumeSource struct {
	VolumeName      string           `json:"volumeName,omitempty"`
	VolumeNamespace string           `json:"volumeNamespace,omitempty"`
	FSType          string           `json:"fsType,omitempty"`
	ReadOnly        bool             `json:"readOnly,omitempty"`
	SecretRef       *ObjectReference `json:"secretRef,omitempty"`
}

type ConfigMapVolumeSource struct {
	LocalObjectReference `json:""`
	Items                []KeyToPath `json:"items,omitempty"`
	DefaultMode          *int32      `json:"defaultMode,omitempty"`
	Optional             *bool       `json:"optional,omitempty"`
	DefaultUser          *int64      `json:"defaultUser,omitempty"`
}

type ConfigMapProjection struct {
	LocalObjectReference `json:""`
	Items                []KeyToPath `json:"items,omitempty"`
	Optional             *bool       `json:"optional,omitempty"`
}

type ServiceAccountTokenProjection struct {
	Audience          string `json:"audience,omitempty"`
	ExpirationSeconds *int64 `json:"expirationSeconds,omitempty"`
	Path              string `json:"path"`
	User              *int64 `json:"user,omitempty"`
}

type ClusterTrustBundleProjection struct {
	Name          *string               `json:"name,omitempty"`
	SignerName    *string               `json:"signerName,omitempty"`
	LabelSelector *metav1.LabelSelector `json:"labelSelector,omitempty"`
	Optional      *bool                 `json:"optional,omitempty"`
	Path          string                `json:"path"`
	User          *int64                `json:"user,omitempty"`
}

type PodCertificateProjection struct {
	SignerName           string            `json:"signerName,omitempty"`
	KeyType              string            `json:"keyType,omitempty"`
	MaxExpirationSeconds *int32            `json:"maxExpirationSeconds,omitempty"`
	CredentialBundlePath string            `json:"credentialBundlePath,omitempty"`
	KeyPath              string            `json:"keyPath,omitempty"`
	CertificateChainPath string            `json:"certificateChainPath,omitempty"`
	UserAnnotations      map[string]string `json:"userAnnotations,omitempty"`
	User                 *int64            `json:"user,omitempty"`
}

type ProjectedVolumeSource struct {
	Sources     []VolumeProjection `json:"sources"`
	DefaultMode *int32             `json:"defaultMode,omitempty"`
	DefaultUser *int64             `json:"defaultUser,omitempty"`
}

type VolumeProjection struct {
	Secret              *SecretProjection              `json:"secret,omitempty"`
	DownwardAPI         *DownwardAPIProjection         `json:"downwardAPI,omitempty"`
	ConfigMap           *ConfigMapProjection           `json:"configMap,omitempty"`
	ServiceAccountToken *ServiceAccountTokenProjection `json:"serviceAccountToken,omitempty"`
	ClusterTrustBundle  *ClusterTrustBundleProjection  `json:"clusterTrustBundle,omitempty"`
	PodCertificate      *PodCertificateProjection      `json:"podCertificate,omitempty"`
}

type KeyToPath struct {
	Key  string `json:"key"`
	Path string `json:"path"`
	Mode *int32 `json:"mode,omitempty"`
	User *int64 `json:"user,omitempty"`
}

type LocalVolumeSource struct {
	Path   string  `json:"path"`
	FSType *string `json:"fsType,omitempty"`
}

type CSIPersistentVolumeSource struct {
	Driver                     string            `json:"driver"`
	VolumeHandle               string            `json:"volumeHandle"`
	ReadOnly                   bool              `json:"readOnly,omitempty"`
	FSType                     string            `json:"fsType,omitempty"`
	VolumeAttributes           map[string]string `json:"volumeAttributes,omitempty"`
	ControllerPublishSecretRef *SecretReference  `json:"controllerPublishSecretRef,omitempty"`
	NodeStageSecretRef         *SecretReference  `json:"nodeStageSecretRef,omitempty"`
	NodePublishSecretRef       *SecretReference  `json:"nodePublishSecretRef,omitempty"`
	ControllerExpandSecretRef  *SecretReference  `json:"controllerExpandSecretRef,omitempty"`
	NodeExpandSecretRef        *SecretReference  `json:"nodeExpandSecretRef,omitempty"`
}

type CSIVolumeSource struct {
	Driver               string                `json:"driver"`
	ReadOnly             *bool                 `json:"readOnly,omitempty"`
	FSType               *string               `json:"fsType,omitempty"`
	VolumeAttributes     map[string]string     `json:"volumeAttributes,omitempty"`
	NodePublishSecretRef *LocalObjectReference `json:"nodePublishSecretRef,omitempty"`
}

type EphemeralVolumeSource struct {
	VolumeClaimTemplate *PersistentVolumeClaimTemplate `json:"volumeClaimTemplate,omitempty"`
}

type PersistentVolumeClaimTemplate struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              PersistentVolumeClaimSpec `json:"spec"`
}

type ContainerPort struct {
	Name          string   `json:"name,omitempty"`
	HostPort      int32    `json:"hostPort,omitempty"`
	ContainerPort int32    `json:"containerPort"`
	Protocol      Protocol `json:"protocol,omitempty"`
	HostIP        string   `json:"hostIP,omitempty"`
}

type VolumeMount struct {
	Name              string                 `json:"name"`
	ReadOnly          bool                   `json:"readOnly,omitempty"`
	RecursiveReadOnly *RecursiveReadOnlyMode `json:"recursiveReadOnly,omitempty"`
	MountPath         string                 `json:"mountPath"`
	SubPath           string                 `json:"subPath,omitempty"`
	MountPropagation  *MountPropagationMode  `json:"mountPropagation,omitempty"`
	SubPathExpr       string                 `json:"subPathExpr,omitempty"`
	BindMountOptions  []string               `json:"bindMountOptions,omitempty"`
}

type MountPropagationMode string

const MountPropagationNone MountPropagationMode = "None"

const MountPropagationHostToContainer MountPropagationMode = "HostToContainer"

const MountPropagationBidirectional MountPropagationMode = "Bidirectional"

type RecursiveReadOnlyMode string

const RecursiveReadOnlyDisabled RecursiveReadOnlyMode = "Disabled"

const RecursiveReadOnlyIfPossible RecursiveReadOnlyMode = "IfPossible"

const RecursiveReadOnlyEnabled RecursiveReadOnlyMode = "Enabled"

type VolumeDevice struct {
	Name       string `json:"name"`
	DevicePath string `json:"devicePath"`
}

type EnvVar struct {
	Name      string        `json:"name"`
	Value     string        `json:"value,omitempty"`
	ValueFrom *EnvVarSource `json:"valueFrom,omitempty"`
}

type EnvVarSource struct {
	FieldRef         *ObjectFieldSelector   `json:"fieldRef,omitempty"`
	ResourceFieldRef *ResourceFieldSelector `json:"resourceFieldRef,omitempty"`
	ConfigMapKeyRef  *ConfigMapKeySelector  `json:"configMapKeyRef,omitempty"`
	SecretKeyRef     *SecretKeySelector     `json:"secretKeyRef,omitempty"`
	FileKeyRef       *FileKeySelector       `json:"fileKeyRef,omitempty"`
}

type FileKeySelector struct {
	VolumeName string `json:"volumeName"`
	Path       string `json:"path"`
	Key        string `json:"key"`
	Optional   *bool  `json:"optional,omitempty"`
}

type ObjectFieldSelector struct {
	APIVersion string `json:"apiVersion,omitempty"`
	FieldPath  string `json:"fieldPath"`
}

type ResourceFieldSelector struct {
	ContainerName string            `json:"containerName,omitempty"`
	Resource      string            `json:"resource"`
	Divisor       resource.Quantity `json:"divisor,omitempty"`
}

type ConfigMapKeySelector struct {
	LocalObjectReference `json:""`
	Key                  string `json:"key"`
	Optional             *bool  `json:"optional,omitempty"`
}

type SecretKeySelector struct {
	LocalObjectReference `json:""`
	Key                  string `json:"key"`
	Optional             *bool  `json:"optional,omitempty"`
}

type EnvFromSource struct {
	Prefix       string              `json:"prefix,omitempty"`
	ConfigMapRef *ConfigMapEnvSource `json:"configMapRef,omitempty"`
	SecretRef    *SecretEnvSource    `json:"secretRef,omitempty"`
}

type ConfigMapEnvSource struct {
	LocalObjectReference `json:""`
	Optional             *bool `json:"optional,omitempty"`
}

type SecretEnvSource struct {
	LocalObjectReference `json:""`
	Optional             *bool `json:"optional,omitempty"`
}

type HTTPHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type HTTPProtocol string

type HTTPGetAction struct {
	Path        string             `json:"path,omitempty"`
	Port        intstr.IntOrString `json:"port"`
	Host        string             `json:"host,omitempty"`
	Scheme      URIScheme          `json:"scheme,omitempty"`
	HTTPHeaders []HTTPHeader       `json:"httpHeaders,omitempty"`
	Protocol    *HTTPProtocol      `json:"protocol,omitempty"`
}

type URIScheme string

const URISchemeHTTP URIScheme = "HTTP"

const URISchemeHTTPS URIScheme = "HTTPS"

type TCPSocketAction struct {
	Port intstr.IntOrString `json:"port"`
	Host string             `json:"host,omitempty"`
}

type GRPCAction struct {
	Port    int32          `json:"port"`
	Service *string        `json:"service"`
	Mode    *GRPCProbeMode `json:"mode,omitempty"`
}

type GRPCProbeMode string

type ExecAction struct {
	Command []string `json:"command,omitempty"`
}

type SleepAction struct {
	Seconds int64 `json:"seconds"`
}

type Probe struct {
	ProbeHandler                  `json:""`
	InitialDelaySeconds           int32  `json:"initialDelaySeconds,omitempty"`
	TimeoutSeconds                int32  `json:"timeoutSeconds,omitempty"`
	PeriodSeconds                 int32  `json:"periodSeconds,omitempty"`
	SuccessThreshold              int32  `json:"successThreshold,omitempty"`
	FailureThreshold              int32  `json:"failureThreshold,omitempty"`
	TerminationGracePeriodSeconds *int64 `json:"terminationGracePeriodSeconds,omitempty"`
}

type PullPolicy string

const PullAlways PullPolicy = "Always"

const PullNever PullPolicy = "Never"

const PullIfNotPresent PullPolicy = "IfNotPresent"

type ResourceResizeRestartPolicy string

const NotRequired ResourceResizeRestartPolicy = "NotRequired"

const RestartContainer ResourceResizeRestartPolicy = "RestartContainer"

type ContainerResizePolicy struct {
	ResourceName  ResourceName                `json:"resourceName"`
	RestartPolicy ResourceResizeRestartPolicy `json:"restartPolicy"`
}

type PreemptionPolicy string

const PreemptLowerPriority PreemptionPolicy = "PreemptLowerPriority"

const PreemptNever PreemptionPolicy = "Never"

type TerminationMessagePolicy string

const TerminationMessageReadFile TerminationMessagePolicy = "File"

const TerminationMessageFallbackToLogsOnError TerminationMessagePolicy = "FallbackToLogsOnError"

type Capability string

type Capabilities struct {
	Add  []Capability `json:"add,omitempty"`
	Drop []Capability `json:"drop,omitempty"`
}

type ResourceRequirements struct {
	Limits   ResourceList    `json:"limits,omitempty"`
	Requests ResourceList    `json:"requests,omitempty"`
	Claims   []ResourceClaim `json:"claims,omitempty"`
}

type VolumeResourceRequirements struct {
	Limits   ResourceList `json:"limits,omitempty"`
	Requests ResourceList `json:"requests,omitempty"`
}

type ResourceClaim struct {
	Name    string `json:"name"`
	Request string `json:"request,omitempty"`
}

const TerminationMessagePathDefault string = "/dev/termination-log"

type Container struct {
	Name                     string                   `json:"name"`
	Image                    string                   `json:"image,omitempty"`
	Command                  []string                 `json:"command,omitempty"`
	Args                     []string                 `json:"args,omitempty"`
	WorkingDir               string                   `json:"workingDir,omitempty"`
	Ports                    []ContainerPort          `json:"ports,omitempty" patchStrategy:"merge" patchMergeKey:"containerPort"`
	EnvFrom                  []EnvFromSource          `json:"envFrom,omitempty"`
	Env                      []EnvVar                 `json:"env,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	Resources                ResourceRequirements     `json:"resources,omitempty"`
	ResizePolicy             []ContainerResizePolicy  `json:"resizePolicy,omitempty"`
	RestartPolicy            *ContainerRestartPolicy  `json:"restartPolicy,omitempty"`
	RestartPolicyRules       []ContainerRestartRule   `json:"restartPolicyRules,omitempty"`
	VolumeMounts             []VolumeMount            `json:"volumeMounts,omitempty" patchStrategy:"merge" patchMergeKey:"mountPath"`
	VolumeDevices            []VolumeDevice           `json:"volumeDevices,omitempty" patchStrategy:"merge" patchMergeKey:"devicePath"`
	LivenessProbe            *Probe                   `json:"livenessProbe,omitempty"`
	ReadinessProbe           *Probe                   `json:"readinessProbe,omitempty"`
	StartupProbe             *Probe                   `json:"startupProbe,omitempty"`
	Lifecycle                *Lifecycle               `json:"lifecycle,omitempty"`
	TerminationMessagePath   string                   `json:"terminationMessagePath,omitempty"`
	TerminationMessagePolicy TerminationMessagePolicy `json:"terminationMessagePolicy,omitempty"`
	ImagePullPolicy          PullPolicy               `json:"imagePullPolicy,omitempty"`
	SecurityContext          *SecurityContext         `json:"securityContext,omitempty"`
	Stdin                    bool                     `json:"stdin,omitempty"`
	StdinOnce                bool                     `json:"stdinOnce,omitempty"`
	TTY                      bool                     `json:"tty,omitempty"`
}

type ProbeHandler struct {
	Exec      *ExecAction      `json:"exec,omitempty"`
	HTTPGet   *HTTPGetAction   `json:"httpGet,omitempty"`
	TCPSocket *TCPSocketAction `json:"tcpSocket,omitempty"`
	GRPC      *GRPCAction      `json:"grpc,omitempty"`
}

type LifecycleHandler struct {
	Exec      *ExecAction      `json:"exec,omitempty"`
	HTTPGet   *HTTPGetAction   `json:"httpGet,omitempty"`
	TCPSocket *TCPSocketAction `json:"tcpSocket,omitempty"`
	Sleep     *SleepAction     `json:"sleep,omitempty"`
}

type Signal string

type Lifecycle struct {
	PostStart  *LifecycleHandler `json:"postStart,omitempty"`
	PreStop    *LifecycleHandler `json:"preStop,omitempty"`
	StopSignal *Signal           `json:"stopSignal,omitempty"`
}

type ConditionStatus string

const ConditionTrue ConditionStatus = "True"

const ConditionFalse ConditionStatus = "False"

const ConditionUnknown ConditionStatus = "Unknown"

type ContainerStateWaiting struct {
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
}

type ContainerStateRunning struct {
	StartedAt metav1.Time `json:"startedAt,omitempty"`
}

type ContainerStateTerminated struct {
	ExitCode    int32       `json:"exitCode"`
	Signal      int32       `json:"signal,omitempty"`
	Reason      string      `json:"reason,omitempty"`
	Message     string      `json:"message,omitempty"`
	StartedAt   metav1.Time `json:"startedAt,omitempty"`
	FinishedAt  metav1.Time `json:"finishedAt,omitempty"`
	ContainerID string      `json:"containerID,omitempty"`
}

type ContainerState struct {
	Waiting    *ContainerStateWaiting    `json:"waiting,omitempty"`
	Running    *ContainerStateRunning    `json:"running,omitempty"`
	Terminated *ContainerStateTerminated `json:"terminated,omitempty"`
}

type ContainerStatus struct {
	Name                     string                `json:"name"`
	State                    ContainerState        `json:"state,omitempty"`
	LastTerminationState     ContainerState        `json:"lastState,omitempty"`
	Ready                    bool                  `json:"ready"`
	RestartCount             int32                 `json:"restartCount"`
	Image                    string                `json:"image"`
	ImageID                  string                `json:"imageID"`
	ContainerID              string                `json:"containerID,omitempty"`
	Started                  *bool                 `json:"started,omitempty"`
	AllocatedResources       ResourceList          `json:"allocatedResources,omitempty"`
	Resources                *ResourceRequirements `json:"resources,omitempty"`
	VolumeMounts             []VolumeMountStatus   `json:"volumeMounts,omitempty" patchStrategy:"merge" patchMergeKey:"mountPath"`
	User                     *ContainerUser        `json:"user,omitempty"`
	AllocatedResourcesStatus []ResourceStatus      `json:"allocatedResourcesStatus,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	StopSignal               *Signal               `json:"stopSignal,omitempty"`
}

type ResourceStatus struct {
	Name      ResourceName     `json:"name"`
	Resources []ResourceHealth `json:"resources,omitempty"`
}

type ResourceHealthStatus string

type ResourceID string

type ResourceHealth struct {
	ResourceID ResourceID           `json:"resourceID"`
	Health     ResourceHealthStatus `json:"health,omitempty"`
	Message    *string              `json:"message,omitempty"`
}

type ContainerUser struct {
	Linux *LinuxContainerUser `json:"linux,omitempty"`
}

type LinuxContainerUser struct {
	UID                int64   `json:"uid"`
	GID                int64   `json:"gid"`
	SupplementalGroups []int64 `json:"supplementalGroups,omitempty"`
}

type PodPhase string

const PodPending PodPhase = "Pending"

const PodRunning PodPhase = "Running"

const PodSucceeded PodPhase = "Succeeded"

const PodFailed PodPhase = "Failed"

type PodConditionType string

const PodReady PodConditionType = "Ready"

const PodScheduled PodConditionType = "PodScheduled"

const DisruptionTarget PodConditionType = "DisruptionTarget"

const PodResizePending PodConditionType = "PodResizePending"

const PodReasonInfeasible = "Infeasible"

type PodCondition struct {
	Type               PodConditionType `json:"type"`
	ObservedGeneration int64            `json:"observedGeneration,omitempty"`
	Status             ConditionStatus  `json:"status"`
	LastProbeTime      metav1.Time      `json:"lastProbeTime,omitempty"`
	LastTransitionTime metav1.Time      `json:"lastTransitionTime,omitempty"`
	Reason             string           `json:"reason,omitempty"`
	Message            string           `json:"message,omitempty"`
}

type PodResizeStatus string

type VolumeMountStatus struct {
	Name              string                 `json:"name"`
	MountPath         string                 `json:"mountPath"`
	ReadOnly          bool                   `json:"readOnly,omitempty"`
	RecursiveReadOnly *RecursiveReadOnlyMode `json:"recursiveReadOnly,omitempty"`
	VolumeStatus      *VolumeStatus          `json:"volumeStatus,omitempty"`
}

type VolumeStatus struct {
	Image *ImageVolumeStatus `json:"image,omitempty"`
}

type ImageVolumeStatus struct {
	ImageRef string `json:"imageRef,omitempty"`
}

type RestartPolicy string

const RestartPolicyAlways RestartPolicy = "Always"

const RestartPolicyOnFailure RestartPolicy = "OnFailure"

const RestartPolicyNever RestartPolicy = "Never"

type ContainerRestartPolicy string

const ContainerRestartPolicyAlways ContainerRestartPolicy = "Always"

const ContainerRestartPolicyNever ContainerRestartPolicy = "Never"

const ContainerRestartPolicyOnFailure ContainerRestartPolicy = "OnFailure"

type ContainerRestartRule struct {
	Action    ContainerRestartRuleAction       `json:"action,omitempty" proto:"bytes,1,opt,name=action"`
	ExitCodes *ContainerRestartRuleOnExitCodes `json:"exitCodes,omitempty" proto:"bytes,2,opt,name=exitCodes"`
}

type ContainerRestartRuleAction string

type ContainerRestartRuleOnExitCodes struct {
	Operator ContainerRestartRuleOnExitCodesOperator `json:"operator,omitempty" proto:"bytes,1,opt,name=operator"`
	Values   []int32                                 `json:"values,omitempty" proto:"varint,2,rep,name=values"`
}

type ContainerRestartRuleOnExitCodesOperator string

type DNSPolicy string

const DNSClusterFirstWithHostNet DNSPolicy = "ClusterFirstWithHostNet"

const DNSClusterFirst DNSPolicy = "ClusterFirst"

const DNSDefault DNSPolicy = "Default"

const DNSNone DNSPolicy = "None"

const DefaultTerminationGracePeriodSeconds = 30

type NodeSelector struct {
	NodeSelectorTerms []NodeSelectorTerm `json:"nodeSelectorTerms"`
}

type NodeSelectorTerm struct {
	MatchExpressions []NodeSelectorRequirement `json:"matchExpressions,omitempty"`
	MatchFields      []NodeSelectorRequirement `json:"matchFields,omitempty"`
}

type NodeSelectorRequirement struct {
	Key      string               `json:"key"`
	Operator NodeSelectorOperator `json:"operator"`
	Values   []string             `json:"values,omitempty"`
}

type NodeSelectorOperator string

const NodeSelectorOpIn NodeSelectorOperator = "In"

const NodeSelectorOpNotIn NodeSelectorOperator = "NotIn"

const NodeSelectorOpExists NodeSelectorOperator = "Exists"

const NodeSelectorOpDoesNotExist NodeSelectorOperator = "DoesNotExist"

const NodeSelectorOpGt NodeSelectorOperator = "Gt"

const NodeSelectorOpLt NodeSelectorOperator = "Lt"

type Affinity struct {
	NodeAffinity    *NodeAffinity    `json:"nodeAffinity,omitempty"`
	PodAffinity     *PodAffinity     `json:"podAffinity,omitempty"`
	PodAntiAffinity *PodAntiAffinity `json:"podAntiAffinity,omitempty"`
}

type PodAffinity struct {
	RequiredDuringSchedulingIgnoredDuringExecution  []PodAffinityTerm         `json:"requiredDuringSchedulingIgnoredDuringExecution,omitempty"`
	PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm `json:"preferredDuringSchedulingIgnoredDuringExecution,omitempty"`
}

type PodAntiAffinity struct {
	RequiredDuringSchedulingIgnoredDuringExecution  []PodAffinityTerm         `json:"requiredDuringSchedulingIgnoredDuringExecution,omitempty"`
	PreferredDuringSchedulingIgnoredDuringExecution []WeightedPodAffinityTerm `json:"preferredDuringSchedulingIgnoredDuringExecution,omitempty"`
}

type WeightedPodAffinityTerm struct {
	Weight          int32           `json:"weight"`
	PodAffinityTerm PodAffinityTerm `json:"podAffinityTerm"`
}

type PodAffinityTerm struct {
	LabelSelector     *metav1.LabelSelector `json:"labelSelector,omitempty"`
	Namespaces        []string              `json:"namespaces,omitempty"`
	TopologyKey       string                `json:"topologyKey"`
	NamespaceSelector *metav1.LabelSelector `json:"namespaceSelector,omitempty"`
	MatchLabelKeys    []string              `json:"matchLabelKeys,omitempty"`
	MismatchLabelKeys []string              `json:"mismatchLabelKeys,omitempty"`
}

type NodeAffinity struct {
	RequiredDuringSchedulingIgnoredDuringExecution  *NodeSelector             `json:"requiredDuringSchedulingIgnoredDuringExecution,omitempty"`
	PreferredDuringSchedulingIgnoredDuringExecution []PreferredSchedulingTerm `json:"preferredDuringSchedulingIgnoredDuringExecution,omitempty"`
}

type PreferredSchedulingTerm struct {
	Weight     int32            `json:"weight"`
	Preference NodeSelectorTerm `json:"preference"`
}

type Taint struct {
	Key       string       `json:"key"`
	Value     string       `json:"value,omitempty"`
	Effect    TaintEffect  `json:"effect"`
	TimeAdded *metav1.Time `json:"timeAdded,omitempty"`
}

type TaintEffect string

const TaintEffectNoSchedule TaintEffect = "NoSchedule"

const TaintEffectPreferNoSchedule TaintEffect = "PreferNoSchedule"

const TaintEffectNoExecute TaintEffect = "NoExecute"

type Toleration struct {
	Key               string             `json:"key,omitempty"`
	Operator          TolerationOperator `json:"operator,omitempty"`
	Value             string             `json:"value,omitempty"`
	Effect            TaintEffect        `json:"effect,omitempty"`
	TolerationSeconds *int64             `json:"tolerationSeconds,omitempty"`
}

type TolerationOperator string

const TolerationOpExists TolerationOperator = "Exists"

const TolerationOpEqual TolerationOperator = "Equal"

const TolerationOpLt TolerationOperator = "Lt"

const TolerationOpGt TolerationOperator = "Gt"

type PodReadinessGate struct {
	ConditionType PodConditionType `json:"conditionType"`
}

type PodSpec struct {
	Volumes                       []Volume                   `json:"volumes,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
	InitContainers                []Container                `json:"initContainers,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	Containers                    []Container                `json:"containers" patchStrategy:"merge" patchMergeKey:"name"`
	EphemeralContainers           []EphemeralContainer       `json:"ephemeralContainers,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	RestartPolicy                 RestartPolicy              `json:"restartPolicy,omitempty"`
	TerminationGracePeriodSeconds *int64                     `json:"terminationGracePeriodSeconds,omitempty"`
	ActiveDeadlineSeconds         *int64                     `json:"activeDeadlineSeconds,omitempty"`
	DNSPolicy                     DNSPolicy                  `json:"dnsPolicy,omitempty"`
	NodeSelector                  map[string]string          `json:"nodeSelector,omitempty"`
	ServiceAccountName            string                     `json:"serviceAccountName,omitempty"`
	DeprecatedServiceAccount      string                     `json:"serviceAccount,omitempty"`
	AutomountServiceAccountToken  *bool                      `json:"automountServiceAccountToken,omitempty"`
	NodeName                      string                     `json:"nodeName,omitempty"`
	HostNetwork                   bool                       `json:"hostNetwork,omitempty"`
	HostPID                       bool                       `json:"hostPID,omitempty"`
	HostIPC                       bool                       `json:"hostIPC,omitempty"`
	ShareProcessNamespace         *bool                      `json:"shareProcessNamespace,omitempty"`
	SecurityContext               *PodSecurityContext        `json:"securityContext,omitempty"`
	ImagePullSecrets              []LocalObjectReference     `json:"imagePullSecrets,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	Hostname                      string                     `json:"hostname,omitempty"`
	Subdomain                     string                     `json:"subdomain,omitempty"`
	Affinity                      *Affinity                  `json:"affinity,omitempty"`
	SchedulerName                 string                     `json:"schedulerName,omitempty"`
	Tolerations                   []Toleration               `json:"tolerations,omitempty"`
	HostAliases                   []HostAlias                `json:"hostAliases,omitempty" patchStrategy:"merge" patchMergeKey:"ip"`
	PriorityClassName             string                     `json:"priorityClassName,omitempty"`
	Priority                      *int32                     `json:"priority,omitempty"`
	DNSConfig                     *PodDNSConfig              `json:"dnsConfig,omitempty"`
	ReadinessGates                []PodReadinessGate         `json:"readinessGates,omitempty"`
	RuntimeClassName              *string                    `json:"runtimeClassName,omitempty"`
	EnableServiceLinks            *bool                      `json:"enableServiceLinks,omitempty"`
	PreemptionPolicy              *PreemptionPolicy          `json:"preemptionPolicy,omitempty"`
	Overhead                      ResourceList               `json:"overhead,omitempty"`
	TopologySpreadConstraints     []TopologySpreadConstraint `json:"topologySpreadConstraints,omitempty" patchStrategy:"merge" patchMergeKey:"topologyKey"`
	SetHostnameAsFQDN             *bool                      `json:"setHostnameAsFQDN,omitempty"`
	OS                            *PodOS                     `json:"os,omitempty"`
	HostUsers                     *bool                      `json:"hostUsers,omitempty"`
	SchedulingGates               []PodSchedulingGate        `json:"schedulingGates,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	ResourceClaims                []PodResourceClaim         `json:"resourceClaims,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
	Resources                     *ResourceRequirements      `json:"resources,omitempty"`
	HostnameOverride              *string                    `json:"hostnameOverride,omitempty"`
	SchedulingGroup               *PodSchedulingGroup        `json:"schedulingGroup,omitempty"`
	EvictionResponders            []EvictionResponder        `json:"evictionResponders,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

type PodResourceClaim struct {
	Name                      string  `json:"name"`
	ResourceClaimName         *string `json:"resourceClaimName,omitempty"`
	ResourceClaimTemplateName *string `json:"resourceClaimTemplateName,omitempty"`
}

type PodResourceClaimStatus struct {
	Name              string  `json:"name"`
	ResourceClaimName *string `json:"resourceClaimName,omitempty"`
}

type PodExtendedResourceClaimStatus struct {
	RequestMappings   []ContainerExtendedResourceRequest `json:"requestMappings"`
	ResourceClaimName string                             `json:"resourceClaimName"`
}

type ContainerExtendedResourceRequest struct {
	ContainerName string `json:"containerName"`
	ResourceName  string `json:"resourceName"`
	RequestName   string `json:"requestName"`
}

type OSName string

const Linux OSName = "linux"

const Windows OSName = "windows"

type PodOS struct {
	Name OSName `json:"name"`
}

type PodSchedulingGate struct {
	Name string `json:"name"`
}

type PodSchedulingGroup struct {
	PodGroupName *string `json:"podGroupName,omitempty"`
}

type UnsatisfiableConstraintAction string

const DoNotSchedule UnsatisfiableConstraintAction = "DoNotSchedule"

const ScheduleAnyway UnsatisfiableConstraintAction = "ScheduleAnyway"

type NodeInclusionPolicy string

const NodeInclusionPolicyIgnore NodeInclusionPolicy = "Ignore"

const NodeInclusionPolicyHonor NodeInclusionPolicy = "Honor"

type TopologySpreadConstraint struct {
	MaxSkew            int32                         `json:"maxSkew"`
	TopologyKey        string                        `json:"topologyKey"`
	WhenUnsatisfiable  UnsatisfiableConstraintAction `json:"whenUnsatisfiable"`
	LabelSelector      *metav1.LabelSelector         `json:"labelSelector,omitempty"`
	MinDomains         *int32                        `json:"minDomains,omitempty"`
	NodeAffinityPolicy *NodeInclusionPolicy          `json:"nodeAffinityPolicy,omitempty"`
	NodeTaintsPolicy   *NodeInclusionPolicy          `json:"nodeTaintsPolicy,omitempty"`
	MatchLabelKeys     []string                      `json:"matchLabelKeys,omitempty"`
}

type HostAlias struct {
	IP        string   `json:"ip"`
	Hostnames []string `json:"hostnames,omitempty"`
}

type PodFSGroupChangePolicy string

const FSGroupChangeOnRootMismatch PodFSGroupChangePolicy = "OnRootMismatch"

const FSGroupChangeAlways PodFSGroupChangePolicy = "Always"

type SupplementalGroupsPolicy string

type PodSELinuxChangePolicy string

type PodSecurityContext struct {
	SELinuxOptions           *SELinuxOptions                `json:"seLinuxOptions,omitempty"`
	WindowsOptions           *WindowsSecurityContextOptions `json:"windowsOptions,omitempty"`
	RunAsUser                *int64                         `json:"runAsUser,omitempty"`
	RunAsGroup               *int64                         `json:"runAsGroup,omitempty"`
	RunAsNonRoot             *bool                          `json:"runAsNonRoot,omitempty"`
	SupplementalGroups       []int64                        `json:"supplementalGroups,omitempty"`
	SupplementalGroupsPolicy *SupplementalGroupsPolicy      `json:"supplementalGroupsPolicy,omitempty"`
	FSGroup                  *int64                         `json:"fsGroup,omitempty"`
	Sysctls                  []Sysctl                       `json:"sysctls,omitempty"`
	FSGroupChangePolicy      *PodFSGroupChangePolicy        `json:"fsGroupChangePolicy,omitempty"`
	SeccompProfile           *SeccompProfile                `json:"seccompProfile,omitempty"`
	AppArmorProfile          *AppArmorProfile               `json:"appArmorProfile,omitempty"`
	SELinuxChangePolicy      *PodSELinuxChangePolicy        `json:"seLinuxChangePolicy,omitempty"`
}

type SeccompProfile struct {
	Type             SeccompProfileType `json:"type"`
	LocalhostProfile *string            `json:"localhostProfile,omitempty"`
}

type SeccompProfileType string

const SeccompProfileTypeUnconfined SeccompProfileType = "Unconfined"

const SeccompProfileTypeRuntimeDefault SeccompProfileType = "RuntimeDefault"

const SeccompProfileTypeLocalhost SeccompProfileType = "Localhost"

type AppArmorProfile struct {
	Type             AppArmorProfileType `json:"type"`
	LocalhostProfile *string             `json:"localhostProfile,omitempty"`
}

type AppArmorProfileType string

type PodQOSClass string

type PodDNSConfig struct {
	Nameservers []string             `json:"nameservers,omitempty"`
	Searches    []string             `json:"searches,omitempty"`
	Options     []PodDNSConfigOption `json:"options,omitempty"`
}

type PodDNSConfigOption struct {
	Name  string  `json:"name,omitempty"`
	Value *string `json:"value,omitempty"`
}

type PodIP struct {
	IP string `json:"ip"`
}

type HostIP struct {
	IP string `json:"ip"`
}

type EphemeralContainerCommon struct {
	Name                     string                   `json:"name"`
	Image                    string                   `json:"image,omitempty"`
	Command                  []string                 `json:"command,omitempty"`
	Args                     []string                 `json:"args,omitempty"`
	WorkingDir               string                   `json:"workingDir,omitempty"`
	Ports                    []ContainerPort          `json:"ports,omitempty" patchStrategy:"merge" patchMergeKey:"containerPort"`
	EnvFrom                  []EnvFromSource          `json:"envFrom,omitempty"`
	Env                      []EnvVar                 `json:"env,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	Resources                ResourceRequirements     `json:"resources,omitempty"`
	ResizePolicy             []ContainerResizePolicy  `json:"resizePolicy,omitempty"`
	RestartPolicy            *ContainerRestartPolicy  `json:"restartPolicy,omitempty"`
	RestartPolicyRules       []ContainerRestartRule   `json:"restartPolicyRules,omitempty"`
	VolumeMounts             []VolumeMount            `json:"volumeMounts,omitempty" patchStrategy:"merge" patchMergeKey:"mountPath"`
	VolumeDevices            []VolumeDevice           `json:"volumeDevices,omitempty" patchStrategy:"merge" patchMergeKey:"devicePath"`
	LivenessProbe            *Probe                   `json:"livenessProbe,omitempty"`
	ReadinessProbe           *Probe                   `json:"readinessProbe,omitempty"`
	StartupProbe             *Probe                   `json:"startupProbe,omitempty"`
	Lifecycle                *Lifecycle               `json:"lifecycle,omitempty"`
	TerminationMessagePath   string                   `json:"terminationMessagePath,omitempty"`
	TerminationMessagePolicy TerminationMessagePolicy `json:"terminationMessagePolicy,omitempty"`
	ImagePullPolicy          PullPolicy               `json:"imagePullPolicy,omitempty"`
	SecurityContext          *SecurityContext         `json:"securityContext,omitempty"`
	Stdin                    bool                     `json:"stdin,omitempty"`
	StdinOnce                bool                     `json:"stdinOnce,omitempty"`
	TTY                      bool                     `json:"tty,omitempty"`
}

type EphemeralContainer struct {
	EphemeralContainerCommon `json:""`
	TargetContainerName      string `json:"targetContainerName,omitempty"`
}

type EvictionResponder struct {
	Name     string `json:"name"`
	Priority *int32 `json:"priority"`
}

type PodStatus struct {
	ObservedGeneration                   int64                                `json:"observedGeneration,omitempty"`
	Phase                                PodPhase                             `json:"phase,omitempty"`
	Conditions                           []PodCondition                       `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
	Message                              string                               `json:"message,omitempty"`
	Reason                               string                               `json:"reason,omitempty"`
	NominatedNodeName                    string                               `json:"nominatedNodeName,omitempty"`
	HostIP                               string                               `json:"hostIP,omitempty"`
	HostIPs                              []HostIP                             `json:"hostIPs,omitempty" patchStrategy:"merge" patchMergeKey:"ip"`
	PodIP                                string                               `json:"podIP,omitempty"`
	PodIPs                               []PodIP                              `json:"podIPs,omitempty" patchStrategy:"merge" patchMergeKey:"ip"`
	StartTime                            *metav1.Time                         `json:"startTime,omitempty"`
	InitContainerStatuses                []ContainerStatus                    `json:"initContainerStatuses,omitempty"`
	ContainerStatuses                    []ContainerStatus                    `json:"containerStatuses,omitempty"`
	QOSClass                             PodQOSClass                          `json:"qosClass,omitempty"`
	EphemeralContainerStatuses           []ContainerStatus                    `json:"ephemeralContainerStatuses,omitempty"`
	Resize                               PodResizeStatus                      `json:"resize,omitempty"`
	ResourceClaimStatuses                []PodResourceClaimStatus             `json:"resourceClaimStatuses,omitempty" patchStrategy:"merge,retainKeys" patchMergeKey:"name"`
	ExtendedResourceClaimStatus          *PodExtendedResourceClaimStatus      `json:"extendedResourceClaimStatus,omitempty"`
	AllocatedResources                   ResourceList                         `json:"allocatedResources,omitempty"`
	Resources                            *ResourceRequirements                `json:"resources,omitempty"`
	NodeAllocatableResourceClaimStatuses []NodeAllocatableResourceClaimStatus `json:"nodeAllocatableResourceClaimStatuses,omitempty" patchStrategy:"merge" patchMergeKey:"resourceClaimName"`
	VolumeHealth                         []PodVolumeHealth                    `json:"volumeHealth,omitempty"`
}

type Pod struct {
	metav1.TypeMeta   `json:""`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              PodSpec   `json:"spec,omitempty"`
	Status            PodStatus `json:"status,omitempty"`
}

type PodTemplateSpec struct {
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              PodSpec `json:"spec,omitempty"`
}

type ServiceAffinity string

type SessionAffinityConfig struct {
	ClientIP *ClientIPConfig `json:"clientIP,omitempty"`
}

type ClientIPConfig struct {
	TimeoutSeconds *int32 `json:"timeoutSeconds,omitempty"`
}

type ServiceType string

const ServiceTypeExternalName ServiceType = "ExternalName"

type ServiceInternalTrafficPolicy string

type ServiceExternalTrafficPolicy string

type ServiceStatus struct {
	LoadBalancer LoadBalancerStatus `json:"loadBalancer,omitempty"`
	Conditions   []metav1.Condition `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
}

type LoadBalancerStatus struct {
	Ingress []LoadBalancerIngress `json:"ingress,omitempty"`
}

type LoadBalancerIngress struct {
	IP       string              `json:"ip,omitempty"`
	Hostname string              `json:"hostname,omitempty"`
	IPMode   *LoadBalancerIPMode `json:"ipMode,omitempty"`
	Ports    []PortStatus        `json:"ports,omitempty"`
}

type IPFamily string

type IPFamilyPolicy string

type ServiceSpec struct {
	Ports                         []ServicePort                 `json:"ports,omitempty" patchStrategy:"merge" patchMergeKey:"port"`
	Selector                      map[string]string             `json:"selector,omitempty"`
	ClusterIP                     string                        `json:"clusterIP,omitempty"`
	ClusterIPs                    []string                      `json:"clusterIPs,omitempty"`
	Type                          ServiceType                   `json:"type,omitempty"`
	ExternalIPs                   []string                      `json:"externalIPs,omitempty"`
	SessionAffinity               ServiceAffinity               `json:"sessionAffinity,omitempty"`
	LoadBalancerIP                string                        `json:"loadBalancerIP,omitempty"`
	LoadBalancerSourceRanges      []string                      `json:"loadBalancerSourceRanges,omitempty"`
	ExternalName                  string                        `json:"externalName,omitempty"`
	ExternalTrafficPolicy         ServiceExternalTrafficPolicy  `json:"externalTrafficPolicy,omitempty"`
	HealthCheckNodePort           int32                         `json:"healthCheckNodePort,omitempty"`
	PublishNotReadyAddresses      bool                          `json:"publishNotReadyAddresses,omitempty"`
	SessionAffinityConfig         *SessionAffinityConfig        `json:"sessionAffinityConfig,omitempty"`
	IPFamilies                    []IPFamily                    `json:"ipFamilies,omitempty"`
	IPFamilyPolicy                *IPFamilyPolicy               `json:"ipFamilyPolicy,omitempty"`
	AllocateLoadBalancerNodePorts *bool                         `json:"allocateLoadBalancerNodePorts,omitempty"`
	LoadBalancerClass             *string                       `json:"loadBalancerClass,omitempty"`
	InternalTrafficPolicy         *ServiceInternalTrafficPolicy `json:"internalTrafficPolicy,omitempty"`
	TrafficDistribution           *string                       `json:"trafficDistribution,omitempty"`
}

type ServicePort struct {
	Name        string             `json:"name,omitempty"`
	Protocol    Protocol           `json:"protocol,omitempty"`
	AppProtocol *string            `json:"appProtocol,omitempty"`
	Port        int32              `json:"port"`
	TargetPort  intstr.IntOrString `json:"targetPort,omitempty"`
	NodePort    int32              `json:"nodePort,omitempty"`
}

type Service struct {
	metav1.TypeMeta   `json:""`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ServiceSpec   `json:"spec,omitempty"`
	Status            ServiceStatus `json:"status,omitempty"`
}

const ClusterIPNone = "None"

type NodeSpec struct {
	PodCIDR             string                   `json:"podCIDR,omitempty"`
	PodCIDRs            []string                 `json:"podCIDRs,omitempty" patchStrategy:"merge"`
	ProviderID          string                   `json:"providerID,omitempty"`
	Unschedulable       bool                     `json:"unschedulable,omitempty"`
	Taints              []Taint                  `json:"taints,omitempty"`
	ConfigSource        *NodeConfigSource        `json:"configSource,omitempty"`
	DoNotUseExternalID  string                   `json:"externalID,omitempty"`
	PodPreemptionPolicy *NodePodPreemptionPolicy `json:"podPreemptionPolicy,omitempty"`
}

type NodePodPreemptionPolicy struct {
	DisableResizePreemption []string `json:"disableResizePreemption,omitempty"`
}

type NodeConfigSource struct {
	ConfigMap *ConfigMapNodeConfigSource `json:"configMap,omitempty"`
}

type ConfigMapNodeConfigSource struct {
	Namespace        string    `json:"namespace"`
	Name             string    `json:"name"`
	UID              types.UID `json:"uid,omitempty"`
	ResourceVersion  string    `json:"resourceVersion,omitempty"`
	KubeletConfigKey string    `json:"kubeletConfigKey"`
}

type DaemonEndpoint struct {
	Port int32 `json:"Port"`
}

type NodeDaemonEndpoints struct {
	KubeletEndpoint DaemonEndpoint `json:"kubeletEndpoint,omitempty"`
}

type NodeRuntimeHandlerFeatures struct {
	RecursiveReadOnlyMounts *bool `json:"recursiveReadOnlyMounts,omitempty"`
	UserNamespaces          *bool `json:"userNamespaces,omitempty"`
}

type NodeRuntimeHandler struct {
	Name     string                      `json:"name"`
	Features *NodeRuntimeHandlerFeatures `json:"features,omitempty"`
}

type NodeFeatures struct {
	SupplementalGroupsPolicy *bool `json:"supplementalGroupsPolicy,omitempty"`
}

type NodeSystemInfo struct {
	MachineID               string          `json:"machineID"`
	SystemUUID              string          `json:"systemUUID"`
	BootID                  string          `json:"bootID"`
	KernelVersion           string          `json:"kernelVersion"`
	OSImage                 string          `json:"osImage"`
	ContainerRuntimeVersion string          `json:"containerRuntimeVersion"`
	KubeletVersion          string          `json:"kubeletVersion"`
	KubeProxyVersion        string          `json:"kubeProxyVersion"`
	OperatingSystem         string          `json:"operatingSystem"`
	Architecture            string          `json:"architecture"`
	Swap                    *NodeSwapStatus `json:"swap,omitempty"`
	RunningInUserNamespace  *bool           `json:"runningInUserNamespace,omitempty"`
}

type NodeSwapStatus struct {
	Capacity *int64 `json:"capacity,omitempty"`
}

type NodeConfigStatus struct {
	Assigned      *NodeConfigSource `json:"assigned,omitempty"`
	Active        *NodeConfigSource `json:"active,omitempty"`
	LastKnownGood *NodeConfigSource `json:"lastKnownGood,omitempty"`
	Error         string            `json:"error,omitempty"`
}

type NodeStatus struct {
	Capacity         ResourceList         `json:"capacity,omitempty"`
	Allocatable      ResourceList         `json:"allocatable,omitempty"`
	Phase            NodePhase            `json:"phase,omitempty"`
	Conditions       []NodeCondition      `json:"conditions,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
	Addresses        []NodeAddress        `json:"addresses,omitempty" patchStrategy:"merge" patchMergeKey:"type"`
	DaemonEndpoints  NodeDaemonEndpoints  `json:"daemonEndpoints,omitempty"`
	NodeInfo         NodeSystemInfo       `json:"nodeInfo,omitempty"`
	Images           []ContainerImage     `json:"images,omitempty"`
	VolumesInUse     []UniqueVolumeName   `json:"volumesInUse,omitempty"`
	VolumesAttached  []AttachedVolume     `json:"volumesAttached,omitempty"`
	Config           *NodeConfigStatus    `json:"config,omitempty"`
	RuntimeHandlers  []NodeRuntimeHandler `json:"runtimeHandlers,omitempty"`
	Features         *NodeFeatures        `json:"features,omitempty"`
	DeclaredFeatures []string             `json:"declaredFeatures,omitempty"`
}

type UniqueVolumeName string

type AttachedVolume struct {
	Name       UniqueVolumeName `json:"name"`
	DevicePath string           `json:"devicePath"`
}

type ContainerImage struct {
	Names     []string `json:"names"`
	SizeBytes int64    `json:"sizeBytes,omitempty"`
}

type NodePhase string

type NodeConditionType string

const NodeReady NodeConditionType = "Ready"

type NodeCondition struct {
	Type               NodeConditionType `json:"type"`
	Status             ConditionStatus   `json:"status"`
	LastHeartbeatTime  metav1.Time       `json:"lastHeartbeatTime,omitempty"`
	LastTransitionTime metav1.Time       `json:"lastTransitionTime,omitempty"`
	Reason             string            `json:"reason,omitempty"`
	Message            string            `json:"message,omitempty"`
}

type NodeAddressType string

type NodeAddress struct {
	Type    NodeAddressType `json:"type"`
	Address string          `json:"address"`
}

type ResourceName string

const ResourceCPU ResourceName = "cpu"

const ResourceMemory ResourceName = "memory"

const ResourceStorage ResourceName = "storage"

const ResourceEphemeralStorage ResourceName = "ephemeral-storage"

const ResourceDefaultNamespacePrefix = "kubernetes.io/"

const ResourceHugePagesPrefix = "hugepages-"

type ResourceList map[ResourceName]resource.Quantity

type Node struct {
	metav1.TypeMeta   `json:""`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              NodeSpec   `json:"spec,omitempty"`
	Status            NodeStatus `json:"status,omitempty"`
}

type ObjectReference struct {
	Kind            string    `json:"kind,omitempty"`
	Namespace       string    `json:"namespace,omitempty"`
	Name            string    `json:"name,omitempty"`
	UID             types.UID `json:"uid,omitempty"`
	APIVersion      string    `json:"apiVersion,omitempty"`
	ResourceVersion string    `json:"resourceVersion,omitempty"`
	FieldPath       string    `json:"fieldPath,omitempty"`
}

type LocalObjectReference struct {
	Name string `json:"name,omitempty"`
}

type TypedLocalObjectReference struct {
	APIGroup *string `json:"apiGroup"`
	Kind     string  `json:"kind"`
	Name     string  `json:"name"`
}

type EventSource struct {
	Component string `json:"component,omitempty"`
	Host      string `json:"host,omitempty"`
}

type Event struct {
	metav1.TypeMeta     `json:""`
	metav1.ObjectMeta   `json:"metadata"`
	InvolvedObject      ObjectReference  `json:"involvedObject"`
	Reason              string           `json:"reason,omitempty"`
	Message             string           `json:"message,omitempty"`
	Source              EventSource      `json:"source,omitempty"`
	FirstTimestamp      metav1.Time      `json:"firstTimestamp,omitempty"`
	LastTimestamp       metav1.Time      `json:"lastTimestamp,omitempty"`
	Count               int32            `json:"count,omitempty"`
	Type                string           `json:"type,omitempty"`
	EventTime           metav1.MicroTime `json:"eventTime,omitempty"`
	Series              *EventSeries     `json:"series,omitempty"`
	Action              string           `json:"action,omitempty"`
	Related             *ObjectReference `json:"related,omitempty"`
	ReportingController string           `json:"reportingComponent"`
	ReportingInstance   string           `json:"reportingInstance"`
}

type EventSeries struct {
	Count            int32            `json:"count,omitempty"`
	LastObservedTime metav1.MicroTime `json:"lastObservedTime,omitempty"`
}

const ResourcePods ResourceName = "pods"

const DefaultResourceRequestsPrefix = "requests."

type ResourceQuotaScope string

type ResourceQuotaSpec struct {
	Hard          ResourceList         `json:"hard,omitempty"`
	Scopes        []ResourceQuotaScope `json:"scopes,omitempty"`
	ScopeSelector *ScopeSelector       `json:"scopeSelector,omitempty"`
}

type ScopeSelector struct {
	MatchExpressions []ScopedResourceSelectorRequirement `json:"matchExpressions,omitempty"`
}

type ScopedResourceSelectorRequirement struct {
	ScopeName ResourceQuotaScope    `json:"scopeName"`
	Operator  ScopeSelectorOperator `json:"operator"`
	Values    []string              `json:"values,omitempty"`
}

type ScopeSelectorOperator string

type ResourceQuotaStatus struct {
	Hard ResourceList `json:"hard,omitempty"`
	Used ResourceList `json:"used,omitempty"`
}

type ResourceQuota struct {
	metav1.TypeMeta   `json:""`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ResourceQuotaSpec   `json:"spec,omitempty"`
	Status            ResourceQuotaStatus `json:"status,omitempty"`
}

type DownwardAPIVolumeSource struct {
	Items       []DownwardAPIVolumeFile `json:"items,omitempty"`
	DefaultMode *int32                  `json:"defaultMode,omitempty"`
	DefaultUser *int64                  `json:"defaultUser,omitempty"`
}

type DownwardAPIVolumeFile struct {
	Path             string                 `json:"path"`
	FieldRef         *ObjectFieldSelector   `json:"fieldRef,omitempty"`
	ResourceFieldRef *ResourceFieldSelector `json:"resourceFieldRef,omitempty"`
	Mode             *int32                 `json:"mode,omitempty"`
	User             *int64                 `json:"user,omitempty"`
}

type DownwardAPIProjection struct {
	Items []DownwardAPIVolumeFile `json:"items,omitempty"`
}

type SecurityContext struct {
	Capabilities             *Capabilities                  `json:"capabilities,omitempty"`
	Privileged               *bool                          `json:"privileged,omitempty"`
	SELinuxOptions           *SELinuxOptions                `json:"seLinuxOptions,omitempty"`
	WindowsOptions           *WindowsSecurityContextOptions `json:"windowsOptions,omitempty"`
	RunAsUser                *int64                         `json:"runAsUser,omitempty"`
	RunAsGroup               *int64                         `json:"runAsGroup,omitempty"`
	RunAsNonRoot             *bool                          `json:"runAsNonRoot,omitempty"`
	ReadOnlyRootFilesystem   *bool                          `json:"readOnlyRootFilesystem,omitempty"`
	AllowPrivilegeEscalation *bool                          `json:"allowPrivilegeEscalation,omitempty"`
	ProcMount                *ProcMountType                 `json:"procMount,omitempty"`
	SeccompProfile           *SeccompProfile                `json:"seccompProfile,omitempty"`
	AppArmorProfile          *AppArmorProfile               `json:"appArmorProfile,omitempty"`
}

type ProcMountType string

const DefaultProcMount ProcMountType = "Default"

const UnmaskedProcMount ProcMountType = "Unmasked"

type SELinuxOptions struct {
	User  string `json:"user,omitempty"`
	Role  string `json:"role,omitempty"`
	Type  string `json:"type,omitempty"`
	Level string `json:"level,omitempty"`
}

type WindowsSecurityContextOptions struct {
	GMSACredentialSpecName *string `json:"gmsaCredentialSpecName,omitempty"`
	GMSACredentialSpec     *string `json:"gmsaCredentialSpec,omitempty"`
	RunAsUserName          *string `json:"runAsUserName,omitempty"`
	HostProcess            *bool   `json:"hostProcess,omitempty"`
}

const DefaultSchedulerName = "default-scheduler"

type Sysctl struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type PortStatus struct {
	Port     int32    `json:"port"`
	Protocol Protocol `json:"protocol"`
	Error    *string  `json:"error,omitempty"`
}

type LoadBalancerIPMode string

type ImageVolumeSource struct {
	Reference  string     `json:"reference,omitempty"`
	PullPolicy PullPolicy `json:"pullPolicy,omitempty"`
}

type NodeAllocatableResourceClaimStatus struct {
	ResourceClaimName string                             `json:"resourceClaimName"`
	Containers        []string                           `json:"containers,omitempty"`
	Mapping           []NodeAllocatableMappedResources   `json:"mapping,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
	Overhead          []NodeAllocatableOverheadResources `json:"overhead,omitempty" patchStrategy:"merge" patchMergeKey:"name"`
}

type NodeAllocatableMappedResources struct {
	Name     ResourceName       `json:"name"`
	Quantity *resource.Quantity `json:"quantity"`
}

type NodeAllocatableOverheadResources struct {
	Name         ResourceName       `json:"name"`
	PerPod       *resource.Quantity `json:"perPod,omitempty"`
	PerContainer *resource.Quantity `json:"perContainer,omitempty"`
}

const LabelHostname = "kubernetes.io/hostname"

const LabelTopologyZone = "topology.kubernetes.io/zone"

const LabelFailureDomainBetaZone = "failure-domain.beta.kubernetes.io/zone"

const LabelOSStable = "kubernetes.io/os"

const TaintNodeNotReady = "node.kubernetes.io/not-ready"

const TaintNodeUnreachable = "node.kubernetes.io/unreachable"

const TaintNodeUnschedulable = "node.kubernetes.io/unschedulable"

const TaintNodeOutOfService = "node.kubernetes.io/out-of-service"

func (in ResourceList) DeepCopyInto(out *ResourceList) {
	{
		in := &in
		*out = make(ResourceList, len(*in))
		for key, val := range *in {
			(*out)[key] = val.DeepCopy()
		}
		return
	}
}

func (in ResourceList) DeepCopy() ResourceList {
	if in == nil {
		return nil
	}
	out := new(ResourceList)
	in.DeepCopyInto(out)
	return *out
}
