package serve

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/serve/recording"
)

// kubeconfig is as much of a kubeconfig as a client of the clock reads: of one that sim serve has written.
type kubeconfig struct {
	Clusters []struct {
		Cluster struct {
			Server string
			CA     string `yaml:"certificate-authority-data"`
		}
	}
	Users []struct{ User struct{ Token string } }
}

// Question is a request to the session itself, for one of the paths of control. Do is true if it should do
// something, not only answer. Body is sent as JSON; nil sends none.
type Question struct {
	Do    bool
	Path  string
	Query url.Values
	Body  any
}

// Ask sends a request to the session of a kubeconfig, and reads the answer into a value.
func Ask(ctx context.Context, config []byte, q Question, into any) error {
	var c kubeconfig
	if err := yaml.Unmarshal(config, &c); err != nil || len(c.Clusters) != 1 || len(c.Users) != 1 {
		return fmt.Errorf("this is no kubeconfig that sim serve has written")
	}
	cluster := &c.Clusters[0].Cluster
	authority, err := base64.StdEncoding.DecodeString(cluster.CA)
	if err != nil {
		return fmt.Errorf("certificate-authority-data: %w", err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	method := http.MethodGet
	if q.Do {
		method = http.MethodPost
	}
	body, err := json.Marshal(q.Body)
	if err != nil {
		return err
	}
	if q.Body == nil {
		body = nil
	}
	to := cluster.Server + "/" + recording.Control + "/" + q.Path + "?" + q.Query.Encode()
	r, err := http.NewRequestWithContext(ctx, method, to, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+c.Users[0].User.Token)
	answer, err := client.Do(r)
	if err != nil {
		return fmt.Errorf("no session answers: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode < http.StatusBadRequest {
		if json.NewDecoder(answer.Body).Decode(into) != nil {
			return fmt.Errorf("%s is no session of sim serve", cluster.Server)
		}
		return nil
	}
	var refused struct{ Message string }
	if json.NewDecoder(answer.Body).Decode(&refused) != nil {
		return fmt.Errorf("%s is no session of sim serve", cluster.Server)
	}
	return fmt.Errorf("%s", refused.Message)
}
