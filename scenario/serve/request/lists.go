package request

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	listvalidation "k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
)

// ListOptions reads the options of a list or a watch. A watch of everything begins with the existing objects unless
// the client says otherwise.
func (q *Request) ListOptions(watch bool) (*internalversion.ListOptions, error) {
	var given metav1.ListOptions
	if err := metav1.Convert_url_Values_To_v1_ListOptions(&q.Query, &given, nil); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	o := &internalversion.ListOptions{Watch: watch, AllowWatchBookmarks: given.AllowWatchBookmarks,
		ResourceVersion: given.ResourceVersion, ResourceVersionMatch: given.ResourceVersionMatch,
		SendInitialEvents: given.SendInitialEvents, Limit: given.Limit, Continue: given.Continue}
	internalversion.SetListOptionsDefaults(o, true)
	return o, WrongOptions("ListOptions", listvalidation.ValidateListOptions(o, true))
}

// VersionOf reads a resource version that a client asks for; 0 is any.
func VersionOf(text string) (uint64, *field.Error) {
	if text == "" || text == "0" {
		return 0, nil
	}
	version, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, field.Invalid(field.NewPath("resourceVersion"), text, err.Error())
	}
	return version, nil
}

// token is the continue token of a list, as a real API server writes it.
type token struct {
	APIVersion      string `json:"v"`
	ResourceVersion int64  `json:"rv"`
	StartKey        string `json:"start"`
}

// tokenVersion is the version of the tokens.
const tokenVersion = "meta.k8s.io/v1"

// Continues returns the continue token of a list: its version, and the key to continue after. The version 0 is the
// newest.
func Continues(version uint64, last model.Key) string {
	t := token{tokenVersion, int64(version), last.Namespace + "/" + last.Name + "\x00"}
	if version == 0 {
		t.ResourceVersion = -1
	}
	data, err := json.Marshal(t)
	if err != nil {
		panic("serve: a token cannot be encoded: " + err.Error())
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// Continued reads such a token.
func Continued(text string) (version uint64, last model.Key, err error) {
	data, err := base64.RawURLEncoding.DecodeString(text)
	var t token
	if err == nil {
		err = json.Unmarshal(data, &t)
	}
	switch {
	case err != nil:
		err = fmt.Errorf("continue key is not valid: %w", err)
	case t.APIVersion != tokenVersion:
		err = fmt.Errorf("continue key is not valid: server does not recognize this encoded version %v", t.APIVersion)
	case t.ResourceVersion == 0:
		err = fmt.Errorf("continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)")
	case t.StartKey == "":
		err = fmt.Errorf("continue key is not valid: encoded start key empty (version meta.k8s.io/v1)")
	}
	if err != nil {
		return 0, last, apierrors.NewBadRequest("invalid continue token: " + err.Error())
	}
	last.Namespace, last.Name, _ = strings.Cut(strings.TrimSuffix(t.StartKey, "\x00"), "/")
	return uint64(max(0, t.ResourceVersion)), last, nil
}
