package builtin

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateConfigMap returns what is wrong with the keys of a ConfigMap.
func ValidateConfigMap(data, binaryData map[string]string) field.ErrorList {
	errs := append(keyErrors("data", data), keyErrors("binaryData", binaryData)...)
	for _, key := range sorted(data) {
		if _, both := binaryData[key]; both {
			errs = append(errs, field.Invalid(field.NewPath("data").Key(key), key, "duplicate of key present in binaryData"))
		}
	}
	return errs
}

// keyErrors returns which keys of data are none.
func keyErrors(name string, data map[string]string) (errs field.ErrorList) {
	for _, key := range sorted(data) {
		for _, wrong := range validation.IsConfigMapKey(key) {
			errs = append(errs, field.Invalid(field.NewPath(name).Key(key), key, wrong))
		}
	}
	return errs
}

func sorted(data map[string]string) []string { return slices.Sorted(maps.Keys(data)) }

// required are the keys that a Secret of a type needs: all of them, but for basic-auth, which needs one.
var required = map[corev1.SecretType][]string{
	corev1.SecretTypeDockercfg:        {corev1.DockerConfigKey},
	corev1.SecretTypeDockerConfigJson: {corev1.DockerConfigJsonKey},
	corev1.SecretTypeBasicAuth:        {corev1.BasicAuthUsernameKey, corev1.BasicAuthPasswordKey},
	corev1.SecretTypeSSHAuth:          {corev1.SSHAuthPrivateKey},
	corev1.SecretTypeTLS:              {corev1.TLSCertKey, corev1.TLSPrivateKeyKey},
}

// ValidateSecret returns what is wrong with a Secret: its keys, and what its type asks for. The data are base64.
func ValidateSecret(kind string, data, annotations map[string]string) field.ErrorList {
	errs, path := keyErrors("data", data), field.NewPath("data")
	of := corev1.SecretType(kind)
	if of == corev1.SecretTypeServiceAccountToken && annotations[corev1.ServiceAccountNameKey] == "" {
		errs = append(errs, field.Required(field.NewPath("metadata", "annotations").Key(corev1.ServiceAccountNameKey), ""))
	}
	var missing field.ErrorList
	for _, key := range required[of] {
		value, there := data[key]
		switch {
		case !there || of == corev1.SecretTypeSSHAuth && value == "":
			missing = append(missing, field.Required(path.Key(key), ""))
		case of == corev1.SecretTypeDockercfg || of == corev1.SecretTypeDockerConfigJson:
			plain, _ := base64.StdEncoding.DecodeString(value)
			if err := json.Unmarshal(plain, &map[string]any{}); err != nil {
				errs = append(errs, field.Invalid(path.Key(key), "<secret contents redacted>", err.Error()))
			}
		}
	}
	if of == corev1.SecretTypeBasicAuth && len(missing) < len(required[of]) {
		return errs
	}
	return append(errs, missing...)
}
