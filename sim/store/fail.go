package store

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
)

// Fail returns an error of the API server as it would refuse a write to the object: what happens to a controller from
// outside, a quota say. The message is the API's own unless one is given. Nothing is written.
func Fail(reason model.ErrorReason, kind model.Kind, name, message string) *model.APIError {
	if message == "" {
		message = failures[reason](kind, name)
	}
	return &model.APIError{Reason: reason, Message: message}
}

// failures words each reason as apimachinery's api/errors does.
var failures = map[model.ErrorReason]func(kind model.Kind, name string) string{
	model.AlreadyExists: func(kind model.Kind, name string) string {
		exists := fmt.Sprintf("%s %q already exists", plural[kind], name)
		if kind == model.KindPod {
			exists += notUnique
		}
		return exists
	},
	model.NotFound: func(kind model.Kind, name string) string { return notFound(kind, name).Message },
	model.Conflict: func(kind model.Kind, name string) string { return modified(kind, name).Message },
	model.Invalid: func(kind model.Kind, name string) string {
		return fmt.Sprintf("%s %q is invalid: spec: Invalid value: refused by a policy", qualified[kind], name)
	},
	model.Forbidden: func(kind model.Kind, name string) string {
		return fmt.Sprintf("%s %q is forbidden: exceeded quota", plural[kind], name)
	},
	model.Timeout: func(model.Kind, string) string {
		return "Timeout: request did not complete within requested timeout - context deadline exceeded"
	},
	model.TooManyRequests: func(model.Kind, string) string {
		return "the server has received too many requests and has asked us to try again later"
	},
	model.InternalError: func(model.Kind, string) string {
		return "Internal error occurred: etcdserver: request timed out"
	},
}

// httpVerbs are the names that a client gives a write in its own messages.
var httpVerbs = [...]string{
	model.Create: "post", model.Update: "put", model.UpdateStatus: "put", model.Delete: "delete", model.Get: "get",
	model.Adopt: "patch", model.Release: "patch",
}

// Lost returns the error of a client whose write was made but whose answer has not come: a timeout, which does not
// say whether the write was made (apimachinery: NewGenericServerResponse).
func Lost(verb model.Verb, kind model.Kind) *model.APIError {
	return &model.APIError{Reason: model.Timeout, Message: fmt.Sprintf(
		"the server was unable to return a response in the time allotted, but may still be processing the request (%s %s)",
		httpVerbs[verb], plural[kind])}
}

// CreateRevision stores a copy of the draft as a new revision. It fails with AlreadyExists if the name is taken,
// which tells the controller about a collision.
func (w Writer) CreateRevision(draft *model.Revision) (*model.Revision, *model.APIError) {
	key := draft.Key()
	if holder := w.revisions.Get(key); holder != nil {
		return nil, alreadyExists(model.KindRevision, key.Name, &holder.Meta)
	}
	revision := *draft
	w.stamp(&revision.Meta)
	w.putRevision(nil, &revision)
	return &revision, nil
}

// UpdateRevision replaces a revision's number, labels and owners. Its data never changes. The version and the uid of
// the write are preconditions.
func (w Writer) UpdateRevision(write *model.Revision) (*model.Revision, *model.APIError) {
	key := write.Key()
	old := w.revisions.Get(key)
	if old == nil {
		return nil, notFound(model.KindRevision, key.Name)
	}
	if err := check(model.KindRevision, &write.Meta, &old.Meta); err != nil {
		return nil, err
	}
	revision := *old
	revision.Number, revision.Labels, revision.Owners = write.Number, write.Labels, write.Owners
	w.touch(&revision.Meta)
	w.putRevision(old, &revision)
	return &revision, nil
}

// DeleteRevision removes a revision at once; revisions have no finalizers and no grace period.
func (w Writer) DeleteRevision(key model.Key) *model.APIError {
	old := w.revisions.Get(key)
	if old == nil {
		return notFound(model.KindRevision, key.Name)
	}
	w.revisions.Delete(key)
	w.version++
	change := w.write(model.KindRevision, model.Deleted)
	change.OldRevision = old
	w.tell(change)
	return nil
}

// putRevision stores a version of a revision and notifies the watches. old is the version before, nil for a new one.
func (w Writer) putRevision(old, revision *model.Revision) {
	w.revisions.Put(revision.Key(), revision)
	change := w.write(model.KindRevision, changeType(old == nil))
	change.OldRevision, change.Revision = old, revision
	w.tell(change)
}
