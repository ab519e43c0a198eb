package plan

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sealed is a set that reads a Secret, with a checksum of it in its template; more is what else the template has.
func sealed(sum, more string) string {
	return strings.Replace(web("2", "a:1"), "{metadata: {labels: {app: web}}, spec: {containers", "{metadata: {labels: {app: web}, "+
		"annotations: {checksum/secret: "+sum+more+"}}, spec: {volumes: [{name: v, secret: {secretName: pass}}], containers", 1)
}

// secret is that Secret, with its data.
func secret(labels, data string) string {
	return "\n---\napiVersion: v1\nkind: Secret\nmetadata: {name: pass, labels: {" + labels + "}}\n" + data + "\n"
}

const (
	drawing = "each render of the chart seems to generate a new value of password in Secret pass"
	avoid   = ". To avoid that, keep the old value: set existingSecret, or let the chart look it up in the cluster " +
		"(helm template cannot)"
	onlyDrawn = drawing + ", and nothing else causes this rollout" + avoid
	alsoDrawn = drawing + ", so checksum/secret changes, and the pods restart, even if nothing else changes" + avoid
)

// TestDrawnSecret: a Secret that each render draws anew is named as the cause of the rollout where it is the only one,
// and what looks otherwise is not.
func TestDrawnSecret(t *testing.T) {
	const old, now = "stringData: {password: mHKaeto4jQ}", "stringData: {password: FtDwa4zpP0}"
	before := sealed("a1", "") + secret("", old)
	config := "\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: "
	for _, c := range []struct{ name, before, after, hint string }{
		{"drawn", before, sealed("b2", "") + secret("", now), onlyDrawn},
		{"in base64", sealed("a1", "") + secret("", "data: {password: bUhLYWV0bzRqUQ==}"),
			sealed("b2", "") + secret("", "data: {password: RnREd2E0enBQMA==}"), onlyDrawn},
		{"with what is made of it", sealed("a1", "") + secret("", "stringData: {password: mHKaeto4jQ, url: 'sql://mHKaeto4jQ@db'}"),
			sealed("b2", "") + secret("", "stringData: {password: FtDwa4zpP0, url: 'sql://FtDwa4zpP0@db'}"), onlyDrawn},
		{"a key", sealed("a1", "") + secret("", "stringData: {password: \"-----BEGIN RSA PRIVATE KEY-----\\nMIIa\"}"),
			sealed("b2", "") + secret("", "stringData: {password: \"-----BEGIN RSA PRIVATE KEY-----\\nMIIbc\"}"), onlyDrawn},
		{"and another annotation", sealed("a1", ", note: one") + secret("", old), sealed("b2", ", note: two") + secret("", now), alsoDrawn},
		{"and a label of the Secret", sealed("a1", "") + secret("chart: v1", old), sealed("b2", "") + secret("chart: v2", now), alsoDrawn},
		{"and a ConfigMap", before + config + "1}", sealed("b2", "") + secret("", now) + config + "2}", alsoDrawn},
		{"and another key", before, sealed("b2", "") + secret("", "stringData: {password: FtDwa4zpP0, user: x}"), ""},
		{"no checksum changes", sealed("a1", ", note: one") + secret("", old), sealed("a1", ", note: two") + secret("", now), ""},
		{"the template does not change", before, sealed("a1", "") + secret("", now), ""},
		{"another length", before, sealed("b2", "") + secret("", "stringData: {password: FtDwa4zpP0x}"), ""},
		{"one letter", before, sealed("b2", "") + secret("", "stringData: {password: mHKaeto4jR}"), ""},
		{"words", sealed("a1", "") + secret("", "stringData: {password: swordfish}"),
			sealed("b2", "") + secret("", "stringData: {password: guessable}"), ""},
		{"checksums", sealed("a1", "") + secret("", "stringData: {password: 0a1b2c3d4e5f}"),
			sealed("b2", "") + secret("", "stringData: {password: f6e7d8c9b0a1}"), ""},
		{"a Secret that no pod reads", strings.Replace(before, "secretName: pass", "secretName: other", 1),
			strings.Replace(sealed("b2", "")+secret("", now), "secretName: pass", "secretName: other", 1), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := plans(t, c.before, c.after, &Options{})
			text := textOf(t, plan) + markdownOf(t, plan)
			require.NotContains(t, text, "mHKaeto4jQ")
			require.NotContains(t, text, "FtDwa4zpP0")
			if c.hint == "" {
				require.NotContains(t, text, "each render")
				return
			}
			require.Contains(t, plan.Sets[0].Notes, c.hint)
		})
	}
}

// TestDrawnSecretOfCharts: real charts that draw their passwords, between two versions, and rendered twice.
func TestDrawnSecretOfCharts(t *testing.T) {
	const charts = "../../../../shared/manifests/"
	if _, err := os.Stat(charts); err != nil {
		t.Skip("the manifests are not there")
	}
	for chart, hint := range map[string]string{
		"bitnami_rabbitmq/rabbitmq": "each render of the chart seems to generate new values of rabbitmq-erlang-cookie and " +
			"rabbitmq-password in Secret rel-rabbitmq, so checksum/secret changes",
		"bitnami_etcd/etcd": "each render of the chart seems to generate new values of etcd-root-password and jwt-token.pem " +
			"in Secret rel-etcd and Secret rel-etcd-jwt-token, so checksum/token-secret changes",
		"bitnami_kafka/kafka": "new values of client-passwords, controller-password, inter-broker-password and 5 more in Secret " +
			"rel-kafka-user-passwords and Secret rel-kafka-kraft, so checksum/secret changes, and the pods restart, even if nothing " +
			"else changes. To avoid that, keep the old values: set existingSecret, or let the chart look them up in the cluster",
	} {
		plan := plans(t, read(t, charts+chart+"-old.yaml"), read(t, charts+chart+"-new.yaml"), &Options{})
		require.Contains(t, strings.Join(plan.Sets[0].Notes, "\n"), hint)
	}

	// The new version with the passwords of the old one, and so with its checksum of them: as if it were rendered
	// twice.
	once, twice := read(t, charts+"bitnami_redis/redis-old.yaml"), read(t, charts+"bitnami_redis/redis-new.yaml")
	again := twice
	for _, key := range []string{"redis-password", "checksum/secret"} {
		line := regexp.MustCompile("\n *" + key + ": .*")
		again = line.ReplaceAllLiteralString(again, line.FindString(once))
	}
	for _, s := range plans(t, again, twice, &Options{}).Sets {
		require.Contains(t, s.Notes, strings.Replace(onlyDrawn, "password in Secret pass", "redis-password in Secret rel-redis", 1))
	}
}
