package release

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// removed138 are the feature gates that 1.37 has and 1.38 has no longer, and locked138 those that it has locked to true.
// They are of all components, read from the code of v1.38.0-beta.0.
var removed138 = []string{
	"AggregatedDiscoveryRemoveBetaType", "AllowOverwriteTerminationGracePeriodSeconds",
	"CRDValidationRatcheting", "CustomResourceFieldSelectors", "DisableAllocatorDualWrite",
	"DynamicResourceAllocation", "ExecProbeTimeout", "InPlacePodVerticalScaling", "JobManagedBy",
	"KubeletTracing", "MatchLabelKeysInPodAffinity", "MultiCIDRServiceAllocator", "NFTablesProxyMode",
	"NodeSwap", "PodGroupPreemptionPolicy", "PodSchedulingReadiness", "PreferSameTrafficDistribution",
	"RecoverVolumeExpansionFailure", "SeparateTaintEvictionController", "ServiceAccountTokenJTI",
	"ServiceAccountTokenNodeBinding", "ServiceAccountTokenNodeBindingValidation",
	"ServiceAccountTokenPodNodeInfo", "SupplementalGroupsPolicy", "SystemdWatchdog", "WinDSR", "WinOverlay",
	"WindowsHostNetwork",
}

var locked138 = []string{
	"AuthorizePodWebsocketUpgradeCreatePermission", "DRADeviceBindingConditions", "DRADeviceTaintRules",
	"DRADeviceTaints", "DRAPartitionableDevices", "EnvFiles", "ExtendWebSocketsToKubelet", "HPAGeneration",
	"PortForwardWebsockets", "StrictIPCIDRValidation", "TranslateStreamCloseWebsocketRequests",
}

// Removed returns the feature gates that a component of a version no longer has, and stops at its start if it is given
// one. Only those of 1.38 are known; of other versions it is nil.
func Removed(version string) []string {
	if minor(version) < 38 {
		return nil
	}
	return removed138
}

// Stops returns why a component of a version stops at its start if its flags set a feature gate; "" if nothing is known
// against it. Of gates that are not about StatefulSets only what 1.38 changes is known.
func Stops(gate string, on bool, p statefulset.Profile) string {
	version := p.Version()
	switch {
	case slices.Contains(statefulset.AllGates(), gate):
		if !p.Knows(gate) {
			return version + " does not have it"
		}
		if p.Locked(gate) && p.Gate(gate) != on {
			return fmt.Sprintf("%s has locked it to %t", version, p.Gate(gate))
		}
	case slices.Contains(Removed(version), gate):
		return version + " no longer has it"
	case minor(version) >= 38 && !on && slices.Contains(locked138, gate):
		return version + " has locked it to true"
	}
	return ""
}
