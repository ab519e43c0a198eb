package serve

import (
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
)

// The tokens of service accounts say whose they are. Nothing is signed: a simulated cluster has no secrets.

// tokenPart is how each token begins.
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
func (s *Server) token(q *request) error {
	var wanted authenticationv1.TokenRequest
	if err := options(q.http, &wanted); err != nil {
		return err
	}
	account := &request{http: q.http, query: q.query, kind: q.kind, namespace: q.namespace, name: q.name}
	if _, err := s.reader.looked(account); err != nil {
		return err
	}
	seconds := int64(3600)
	if given := wanted.Spec.ExpirationSeconds; given != nil {
		seconds = *given
	}
	wanted.TypeMeta = metav1.TypeMeta{APIVersion: "authentication.k8s.io/v1", Kind: "TokenRequest"}
	wanted.Namespace, wanted.Name, wanted.Spec.ExpirationSeconds = q.namespace, q.name, &seconds
	s.mu.Lock()
	now := s.cluster.Instant()
	s.mu.Unlock()
	wanted.CreationTimestamp = metav1.NewTime(now)
	wanted.Status = authenticationv1.TokenRequestStatus{Token: tokenOf(q.key()),
		ExpirationTimestamp: metav1.NewTime(now.Add(time.Duration(seconds) * time.Second))}
	send(q.w, http.StatusCreated, wanted)
	return nil
}

// tokenReview answers whose a token is.
func tokenReview(w http.ResponseWriter, r *http.Request) error {
	var review authenticationv1.TokenReview
	if err := options(r, &review); err != nil {
		return err
	}
	review.TypeMeta = metav1.TypeMeta{APIVersion: "authentication.k8s.io/v1", Kind: "TokenReview"}
	if account, is := accountOf(review.Spec.Token); is {
		review.Status = authenticationv1.TokenReviewStatus{Authenticated: true, User: authenticationv1.UserInfo{
			Username: "system:serviceaccount:" + account.Namespace + ":" + account.Name,
			Groups: []string{"system:serviceaccounts", "system:serviceaccounts:" + account.Namespace,
				"system:authenticated"}}}
	}
	send(w, http.StatusCreated, review)
	return nil
}
