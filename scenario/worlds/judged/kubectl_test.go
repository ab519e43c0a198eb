package judged_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
)

// healedImage is the image with which whoever uses a fix replaces IMAGE, or that an edit of the template writes.
const healedImage = "app:healed"

// pasted reads the commands of a fix as kubectl does. beyond is true if one of them changes what is not in the worlds: then
// somebody ends the trouble by it.
func pasted(t require.TestingT, set *model.StatefulSet, commands []string) (script play.Script, beyond bool) {
	for _, text := range commands {
		deeds := typed(t, set, text)
		script, beyond = append(script, deeds...), beyond || deeds == nil
	}
	return script, beyond
}

// typed reads one command; nil if what it changes is not in the worlds.
func typed(t require.TestingT, set *model.StatefulSet, text string) play.Script {
	key, words := set.Key(), split(text)
	at := func(from int) []string { return words[min(from, len(words)):] }
	if words[1] == "-n" {
		words = append(words[:1], words[3:]...)
	}
	pods := func(words []string, prefix string) (keys []model.Key) {
		for _, word := range words {
			if name, is := strings.CutPrefix(word, prefix); is && !strings.HasPrefix(word, "--") {
				keys = append(keys, model.Key{Namespace: key.Namespace, Name: name})
			}
		}
		return keys
	}
	switch does := strings.Join(words[1:3], " "); {
	case strings.Contains(text, "sed 's/OrderedReady/Parallel/'"):
		return play.InParallel(key)
	case strings.HasPrefix(does, "cordon "):
		return play.Script{play.Cordon(words[2])}
	case strings.HasPrefix(does, "uncordon "):
		return play.Script{play.Uncordon(at(2))}
	case does == "rollout undo":
		return play.Script{play.Undo(key)}
	case does == "rollout status":
		return play.Script{play.RolloutStatus(key)}
	case does == "set image":
		container, _, _ := strings.Cut(words[4], "=")
		return play.Script{play.SetImage(key, container, healedImage)}
	case strings.HasPrefix(does, "edit statefulset/"):
		return play.Script{play.SetImage(key, "", healedImage)}
	case strings.HasPrefix(does, "scale "):
		var replicas int32
		_, err := fmt.Sscanf(words[3], "--replicas=%d", &replicas)
		require.NoError(t, err, text)
		return play.Script{play.Scale(key, replicas)}
	case does == "annotate --overwrite":
		return play.Script{play.Annotate(key, "touched", "yes")}
	case does == "delete pod":
		return play.Script{play.DeletePods(pods(at(3), ""), slices.Contains(words, "--force"))}
	case does == "delete pvc":
		return play.Script{play.DeleteClaim(pods(at(3), "")[0], false)}
	case does == "delete node":
		return play.Script{play.DeleteNode(words[3])}
	case strings.HasPrefix(does, "wait pod/"):
		return play.Script{play.WaitGone(pods(at(2), "pod/"))}
	case does == "taint nodes" && strings.Contains(text, "out-of-service="):
		return play.Script{play.OutOfService(words[3 : len(words)-1]...)}
	case does == "patch statefulset":
		return play.Script{patched(t, key, words[len(words)-1])}
	}
	return nil
}

// patched merges a patch of a set.
func patched(t require.TestingT, key model.Key, patch string) play.Deed {
	var of struct {
		Spec struct {
			Replicas       *int32
			Ordinals       *model.Ordinals
			UpdateStrategy *struct{ RollingUpdate struct{ Partition int32 } }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(patch), &of))
	return play.Patch(key, patch, func(set *model.StatefulSet) {
		if of.Spec.Replicas != nil {
			set.Spec.Replicas = *of.Spec.Replicas
		}
		if of.Spec.Ordinals != nil {
			set.Spec.Ordinals = of.Spec.Ordinals
		}
		if of.Spec.UpdateStrategy != nil {
			block := model.RollingUpdate{}
			if set.Spec.Strategy.RollingUpdate != nil {
				block = *set.Spec.Strategy.RollingUpdate
			}
			block.Partition = of.Spec.UpdateStrategy.RollingUpdate.Partition
			set.Spec.Strategy.RollingUpdate = &block
		}
	})
}

// split returns the words of a command as a shell does: between single quotes nothing is special.
func split(text string) (words []string) {
	for i, part := range strings.Split(text, "'") {
		if i%2 == 0 {
			words = append(words, strings.Fields(part)...)
		} else {
			words = append(words, part)
		}
	}
	return words
}
