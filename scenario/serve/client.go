package serve

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"gopkg.in/yaml.v3"
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

// MoveClock asks the session of a kubeconfig how late it is, do "", or to do something to its clock first: see control.
func MoveClock(config []byte, do string, query url.Values) (Time, error) {
	var c kubeconfig
	if err := yaml.Unmarshal(config, &c); err != nil || len(c.Clusters) != 1 || len(c.Users) != 1 {
		return Time{}, fmt.Errorf("this is no kubeconfig that sim serve has written")
	}
	cluster := &c.Clusters[0].Cluster
	authority, err := base64.StdEncoding.DecodeString(cluster.CA)
	if err != nil {
		return Time{}, fmt.Errorf("certificate-authority-data: %w", err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
	method, path := http.MethodGet, "/"+Control+"/clock"
	if do != "" {
		method, path = http.MethodPost, path+"/"+do
	}
	r, err := http.NewRequest(method, cluster.Server+path+"?"+query.Encode(), nil)
	if err != nil {
		return Time{}, err
	}
	r.Header.Set("Authorization", "Bearer "+c.Users[0].User.Token)
	answer, err := client.Do(r)
	if err != nil {
		return Time{}, fmt.Errorf("no session answers: %w", err)
	}
	defer answer.Body.Close()
	var told struct {
		Time
		Message string
	}
	if err := json.NewDecoder(answer.Body).Decode(&told); err != nil {
		return Time{}, fmt.Errorf("%s is no session of sim serve", cluster.Server)
	}
	if answer.StatusCode >= http.StatusBadRequest {
		return Time{}, fmt.Errorf("%s", told.Message)
	}
	return told.Time, nil
}
