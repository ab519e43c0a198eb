package serve

import (
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/scenario/serve/request"

	authenticationv1 "k8s.io/api/authentication/v1"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
)

// The tokens of service accounts say whose they are. Nothing is signed: a simulated cluster has no secrets.

// tokenPart is the start of each token.
const tokenPart = "sim.serviceaccount."

// tokenOf returns the token of a service account.
func tokenOf(account model.Key) string {
	return tokenPart + base64.RawURLEncoding.EncodeToString([]byte(account.Namespace+"/"+account.Name))
}

// accountOf returns the service account of a token, and false if it is none.
func accountOf(token string) (model.Key, bool) {
	text, is := strings.CutPrefix(token, tokenPart)
	data, err := base64.RawURLEncoding.DecodeString(text)
	namespace, name, named := strings.Cut(string(data), "/")
	return model.Key{Namespace: namespace, Name: name}, is && err == nil && named
}

// token answers a request for a token of a service account.
func (s *Server) token(q *request.Request) error {
	var wanted authenticationv1.TokenRequest
	if err := request.Options(q.HTTP, &wanted); err != nil {
		return err
	}
	account := &request.Request{HTTP: q.HTTP, Query: q.Query, Kind: q.Kind, Namespace: q.Namespace, Name: q.Name}
	if _, err := s.reader.Looked(account); err != nil {
		return err
	}
	seconds := int64(3600)
	if given := wanted.Spec.ExpirationSeconds; given != nil {
		seconds = *given
	}
	wanted.TypeMeta = metav1.TypeMeta{APIVersion: "authentication.k8s.io/v1", Kind: "TokenRequest"}
	wanted.Namespace, wanted.Name, wanted.Spec.ExpirationSeconds = q.Namespace, q.Name, &seconds
	s.mu.Lock()
	now := s.cluster.Instant()
	s.mu.Unlock()
	wanted.CreationTimestamp = metav1.NewTime(now)
	wanted.Status = authenticationv1.TokenRequestStatus{Token: tokenOf(q.Key()),
		ExpirationTimestamp: metav1.NewTime(now.Add(time.Duration(seconds) * time.Second))}
	request.Send(q.Response, http.StatusCreated, wanted)
	return nil
}

// tokenReview answers whose a token is.
func tokenReview(w http.ResponseWriter, r *http.Request) error {
	var review authenticationv1.TokenReview
	if err := request.Options(r, &review); err != nil {
		return err
	}
	review.TypeMeta = metav1.TypeMeta{APIVersion: "authentication.k8s.io/v1", Kind: "TokenReview"}
	if account, is := accountOf(review.Spec.Token); is {
		review.Status = authenticationv1.TokenReviewStatus{Authenticated: true, User: authenticationv1.UserInfo{
			Username: "system:serviceaccount:" + account.Namespace + ":" + account.Name,
			Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + account.Namespace,
				"system:authenticated"}}}
	}
	request.Send(w, http.StatusCreated, review)
	return nil
}

// review answers a client that asks who it is and what it may do: it may do everything.
func review(w http.ResponseWriter, r *http.Request, apiVersion string, rest []string) error {
	reviews := map[string]struct {
		kind   string
		status map[string]any
	}{
		"selfsubjectaccessreviews": {"SelfSubjectAccessReview", map[string]any{"allowed": true}},
		"selfsubjectrulesreviews": {"SelfSubjectRulesReview", map[string]any{"incomplete": false, "nonResourceRules": []any{},
			"resourceRules": []any{map[string]any{"verbs": []any{"*"}, "apiGroups": []any{"*"}, "resources": []any{"*"}}}}},
		"selfsubjectreviews": {"SelfSubjectReview", map[string]any{"userInfo": map[string]any{"username": "sim",
			"groups": []any{"system:masters", "system:authenticated"}}}},
		"subjectaccessreviews": {"SubjectAccessReview", map[string]any{"allowed": true}},
	}
	word := strings.Join(rest, "/")
	if len(rest) == 3 && rest[0] == "namespaces" && rest[2] == "localsubjectaccessreviews" {
		reviews[word] = reviews["subjectaccessreviews"]
	}
	if word == "tokenreviews" && r.Method == http.MethodPost {
		return tokenReview(w, r)
	}
	is, known := reviews[word]
	if !known || r.Method != http.MethodPost {
		return refuse.NotServed()
	}
	request.Send(w, http.StatusCreated, map[string]any{"apiVersion": apiVersion, "kind": is.kind, "metadata": map[string]any{},
		"spec": map[string]any{}, "status": is.status})
	return nil
}
