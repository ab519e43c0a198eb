package session

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// opened returns the address of a door, behind which a handler serves, and its token.
func opened(t *testing.T, h http.Handler) (address, token string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	d, err := newDoor(l.Addr().String())
	require.NoError(t, err)
	s := d.server(t.Context(), h)
	require.Equal(t, headerTime, s.ReadHeaderTimeout)
	s.ReadHeaderTimeout, s.IdleTimeout = 300*time.Millisecond, 300*time.Millisecond // The test does not wait so long.
	go s.ServeTLS(few(l), "", "")
	t.Cleanup(func() { s.Close() })
	return d.address, d.token
}

// TestStrangersHaveLittleTime: a connection without the token ends soon, however it stays silent, and a large header is
// refused.
func TestStrangersHaveLittleTime(t *testing.T) {
	address, _ := opened(t, http.NotFoundHandler())
	open := func(protocol string) net.Conn {
		c, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{protocol}})
		require.NoError(t, err)
		require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
		return c
	}
	for name, begin := range map[string]func() net.Conn{
		"no handshake": func() net.Conn {
			c, err := net.Dial("tcp", address)
			require.NoError(t, err)
			require.NoError(t, c.SetDeadline(time.Now().Add(20*time.Second)))
			return c
		},
		"nothing": func() net.Conn { return open("http/1.1") },
		"half a header": func() net.Conn {
			c := open("http/1.1")
			io.WriteString(c, "GET / HTTP/1.1\r\nHost: a\r\nA: b")
			return c
		},
		"a body that does not come": func() net.Conn {
			c := open("http/1.1")
			io.WriteString(c, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
			return c
		},
		"half of HTTP/2": func() net.Conn {
			c := open("h2")
			io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00")
			return c
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := begin()
			defer c.Close()
			_, err := io.Copy(io.Discard, c)
			require.NotErrorIs(t, err, context.DeadlineExceeded)
			require.NotContains(t, fmt.Sprint(err), "i/o timeout", "it is still open")
		})
	}
	t.Run("a large header", func(t *testing.T) {
		t.Parallel()
		c := open("http/1.1")
		defer c.Close()
		go io.WriteString(c, "GET / HTTP/1.1\r\nHost: a\r\nA: "+strings.Repeat("x", 2*mostHeader)+"\r\n\r\n")
		line, err := bufio.NewReader(c).ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, "431")
	})
}

// TestRequestsAreBounded: of more requests at once than are let in, the others are told to come again; watches are
// counted for themselves.
func TestRequestsAreBounded(t *testing.T) {
	began, end := make(chan bool), make(chan bool)
	h := bounded(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began <- true
		<-end
	}))
	ask := func(path string) int {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w.Code
	}
	for path, most := range map[string]int{"/api/v1/pods": mostRequests, "/api/v1/pods?watch=true": mostWatches} {
		for range most {
			go ask(path)
			<-began
		}
		require.Equal(t, http.StatusTooManyRequests, ask(path))
	}
	close(end)
}
