package session

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/subtle"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// door is how clients come in: with TLS by a certificate made for this session, and with a token.
type door struct {
	address, token string
	tls            *tls.Config
	authority      []byte
}

// newDoor makes the certificate and the token for an address of this machine.
func newDoor(address string) (*door, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	about := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: "sim serve"}, IsCA: true,
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(365 * 24 * time.Hour), BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, DNSNames: []string{"localhost"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, key.Public(), key)
	if err != nil {
		return nil, err
	}
	secret := make([]byte, 16)
	rand.Read(secret)
	return &door{
		address: address, token: hex.EncodeToString(secret),
		authority: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		tls: &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
			MinVersion: tls.VersionTLS12},
	}, nil
}

// guard admits only clients with the token.
func (d *door) guard(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+d.token)) != 1 {
			// The rest of its body is read before the next request, but not for long.
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(time.Second))
			refuse(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized")
			return
		}
		h.ServeHTTP(w, r)
	})
}

// refuse answers a request with a Status.
func refuse(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","message":%q,"reason":%q,"code":%d}`+"\n",
		message, reason, code)
}

// write writes the kubeconfig to a new file, or to a temporary one if the name is "", and returns its path and a
// function that removes it. It contains a token, so an existing file, which others may read, is not used.
func (d *door) write(file string) (string, func(), error) {
	home, _ := os.UserHomeDir()
	own := filepath.Join(home, ".kube", "config")
	if path, err := filepath.Abs(file); err == nil && file != "" && path == own {
		return "", nil, work.Usagef("--kubeconfig %s is your own: name another file", file)
	}
	dir := ""
	if file == "" {
		var err error
		if dir, err = os.MkdirTemp("", "sim-serve-"); err != nil {
			return "", nil, err
		}
		file = filepath.Join(dir, "kubeconfig")
	}
	made, err := files.Make(file, d.config(), 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return "", nil, work.Usagef("--kubeconfig %s is there already, and is not overwritten: remove it, or name another "+
			"file", file)
	case err != nil:
		return "", nil, fmt.Errorf("--kubeconfig: %w", err)
	}
	return file, func() {
		made.Remove()
		if dir != "" {
			os.Remove(dir) // It stays if it is not empty.
		}
	}, nil
}

// config is the kubeconfig.
func (d *door) config() []byte {
	return fmt.Appendf(nil, `apiVersion: v1
kind: Config
current-context: sim
clusters:
- name: sim
  cluster:
    server: https://%s
    certificate-authority-data: %s
contexts:
- name: sim
  context: {cluster: sim, user: sim, namespace: default}
users:
- name: sim
  user: {token: %s}
`, d.address, base64.StdEncoding.EncodeToString(d.authority), d.token)
}
