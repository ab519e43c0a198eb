#!/usr/bin/env bash
# Kustomize: labels with includeTemplates, without includeSelectors, also go to the claim templates of a StatefulSet.
#
# Program: sigs.k8s.io/kustomize/kustomize/v5 v5.8.1, built with Go 1.26. v5.5.0 (in kubectl 1.32) does the same.
#
# The documentation offers "labels" with includeTemplates as the way to label pods that leaves selectors alone, since a
# selector cannot change. The guess: a StatefulSet gets the label at its own metadata and at that of its pod template.
# What happens: each of its volumeClaimTemplates gets it, too, which cannot change either: of a StatefulSet, the API server
# accepts changes of replicas, template, updateStrategy, ordinals, minReadySeconds, revisionHistoryLimit and
# persistentVolumeClaimRetentionPolicy. So the label that was to be harmless is refused for each StatefulSet with claims
# that is there already, and accepted for Deployments and for new sets. commonAnnotations do not go there.
set -euo pipefail

folder=$(mktemp -d)
trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
cd "$folder"
GOBIN=$folder/bin go install sigs.k8s.io/kustomize/kustomize/v5@v5.8.1

cat > set.yaml <<'YAML'
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  serviceName: db
  selector:
    matchLabels:
      app: db
  template:
    metadata:
      labels:
        app: db
    spec:
      containers:
      - image: db:1
        name: db
  volumeClaimTemplates:
  - metadata:
      name: data
    spec:
      accessModes: [ReadWriteOnce]
      resources:
        requests:
          storage: 1Gi
YAML

# paths prints where the label team is: the keys above it, by their indentation.
paths() {
	awk '{ match($0, /[^ -]/); depth = RSTART; key = $0; gsub(/[ -]|:.*/, "", key)
	       for (d in above) if (d + 0 >= depth) delete above[d]
	       if (key == "team") { text = ""; for (d = 1; d < depth; d++) if (d in above) text = text "." above[d]; print "  " text }
	       above[depth] = key }'
}

for label in 'labels: [{pairs: {team: a}}]' 'labels: [{pairs: {team: a}, includeTemplates: true}]' \
	'commonAnnotations: {team: a}'; do
	printf 'resources: [set.yaml]\n%s\n' "$label" > kustomization.yaml
	echo "$label"
	bin/kustomize build . | paths
done > got

cat > expected <<'OUT'
labels: [{pairs: {team: a}}]
  .metadata.labels
labels: [{pairs: {team: a}, includeTemplates: true}]
  .metadata.labels
  .spec.template.metadata.labels
  .spec.volumeClaimTemplates.metadata.labels
commonAnnotations: {team: a}
  .metadata.annotations
  .spec.template.metadata.annotations
OUT
diff expected got
echo "as seen on 29 November 2026"
