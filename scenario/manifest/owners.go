package manifest

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Owners and finalizers in a manifest are checked, and then dropped: in a run, only the controllers set any.

// validateOwners checks the owners of an object. before has the words of the versions before 1.37.
func validateOwners(owners []metav1.OwnerReference, path *field.Path, before bool) field.ErrorList {
	var errs field.ErrorList
	controller := ""
	for i, owner := range owners {
		at, missing := path.Index(i), field.Required
		if before {
			at = path
			missing = func(at *field.Path, why string) *field.Error { return field.Invalid(at, "", why) }
		}
		errs = append(errs, validateVersion(owner.APIVersion, at.Child("apiVersion"), before)...)
		for _, part := range []struct{ name, text string }{
			{"kind", owner.Kind}, {"name", owner.Name}, {"uid", string(owner.UID)},
		} {
			if part.text == "" {
				errs = append(errs, missing(at.Child(part.name), "must not be empty"))
			}
		}
		if owner.Controller == nil || !*owner.Controller {
			continue
		}
		name := owner.Kind + "/" + owner.Name
		if controller != "" {
			errs = append(errs, field.Invalid(path, owners, fmt.Sprintf("Only one reference can have Controller set to true. "+
				"Found \"true\" in references for %v and %v", controller, name)))
			continue
		}
		controller = name
	}
	return errs
}

// validateVersion checks the apiVersion of an owner: VERSION or GROUP/VERSION.
func validateVersion(version string, path *field.Path, before bool) field.ErrorList {
	reason := "must be <group>/<version> or <version>"
	if before {
		reason = "version must not be empty"
	}
	switch parts := strings.Split(version, "/"); {
	case version == "" && !before:
		return field.ErrorList{field.Required(path, "must not be empty")}
	case len(parts) > 2, parts[len(parts)-1] == "":
		return field.ErrorList{field.Invalid(path, version, reason)}
	}
	return nil
}

// validateFinalizers checks the finalizers of an object; two of them exclude each other.
func validateFinalizers(finalizers []string, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	orphan, foreground := false, false
	for _, finalizer := range finalizers {
		errs = append(errs, invalidBecause(path, finalizer, validation.IsQualifiedName(finalizer))...)
		orphan = orphan || finalizer == orphanDependents
		foreground = foreground || finalizer == deleteDependents
	}
	if orphan && foreground {
		errs = append(errs, field.Invalid(path, finalizers,
			fmt.Sprintf("finalizer %s and %s cannot be both set", orphanDependents, deleteDependents)))
	}
	for i, finalizer := range finalizers {
		if !strings.Contains(finalizer, "/") && !slices.Contains(standardFinalizers, finalizer) {
			errs = append(errs, field.Invalid(path.Index(i), finalizer,
				"name is neither a standard finalizer name nor is it fully qualified"))
		}
	}
	return errs
}

// standardFinalizers are the finalizers whose names have no owner.
var standardFinalizers = []string{"kubernetes", orphanDependents, deleteDependents}

// The finalizers of the garbage collector.
const (
	orphanDependents = "orphan"
	deleteDependents = "foregroundDeletion"
)
