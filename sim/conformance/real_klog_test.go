//go:build real && !v1_16

package conformance_test

import "k8s.io/klog/v2"

func init() { quiet(klog.InitFlags, klog.SetOutput) }
