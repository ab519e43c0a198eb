package workloads

import (
	"slices"
	"strconv"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// The wait before a pod is created for one that has failed: it doubles with each one.
const (
	firstBackoff = 10 * time.Second
	mostBackoff  = 10 * time.Minute
)

// run is a Job with its pods.
type run struct {
	o         *objects.Object
	job       *batchv1.Job
	active    []pod
	succeeded []pod
	failed    int32
	restarts  int64
	lastEnd   time.Time
}

// job runs the pods of a Job until enough of them have succeeded, or too many have failed.
func (s *syncing) job(o *objects.Object) {
	job, is := typed[*batchv1.Job](o)
	if !is || job.Spec.Parallelism == nil || going(o) {
		return
	}
	if end := ending(job); end != nil {
		s.expire(o, job, end)
		return
	}
	r := &run{o: o, job: job}
	for _, p := range s.podsOf(o) {
		switch {
		case p.phase == string(corev1.PodSucceeded):
			r.succeeded = append(r.succeeded, p)
		case p.phase == string(corev1.PodFailed):
			r.failed++
			if later(p.ended, r.lastEnd) {
				r.lastEnd = p.ended
			}
		case !p.leaving:
			r.active = append(r.active, p)
			r.restarts += p.restarts
		}
	}
	if job.Spec.Suspend != nil && *job.Spec.Suspend {
		s.stop(r)
		if job.Status.StartTime != nil {
			job.Status.Active, job.Status.Ready = 0, new(int32)
			job.Status.StartTime = nil
			s.status(o, job)
		}
		return
	}
	s.runJob(r)
}

// runJob is job for a Job that is neither suspended nor finished.
func (s *syncing) runJob(r *run) {
	status := &r.job.Status
	if status.StartTime == nil {
		status.StartTime = &metav1.Time{Time: s.now}
	}
	status.Failed = max(status.Failed, r.failed)
	status.Succeeded = max(status.Succeeded, int32(len(r.succeeded)))
	s.count(r)
	reason, message := s.failure(r)
	switch {
	case reason != "":
		s.endJob(r, batchv1.JobFailureTarget, batchv1.JobFailed, reason, message)
	case r.complete():
		s.endJob(r, batchv1.JobSuccessCriteriaMet, batchv1.JobComplete, batchv1.JobReasonCompletionsReached,
			"Reached expected number of succeeded pods")
		status.CompletionTime = &metav1.Time{Time: s.now}
	default:
		s.fill(r)
	}
	s.status(r.o, r.job)
}

// count shows the pods that run.
func (s *syncing) count(r *run) {
	ready := int32(0)
	for i := range r.active {
		ready += one(r.active[i].ready)
	}
	r.job.Status.Active, r.job.Status.Ready = int32(len(r.active)), &ready
	r.job.Status.Terminating = new(int32)
	r.job.Status.UncountedTerminatedPods = &batchv1.UncountedTerminatedPods{}
	if r.indexed() {
		r.job.Status.CompletedIndexes = spans(r.indexes())
	}
}

// ending returns the condition that a finished Job ended with, nil if the Job is not finished.
func ending(job *batchv1.Job) *batchv1.JobCondition {
	at := slices.IndexFunc(job.Status.Conditions, func(c batchv1.JobCondition) bool {
		return (c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed) && c.Status == corev1.ConditionTrue
	})
	if at < 0 {
		return nil
	}
	return &job.Status.Conditions[at]
}

// expire deletes a finished Job when its time has come.
func (s *syncing) expire(o *objects.Object, job *batchv1.Job, end *batchv1.JobCondition) {
	if job.Spec.TTLSecondsAfterFinished == nil {
		return
	}
	at := end.LastTransitionTime.Add(time.Duration(*job.Spec.TTLSecondsAfterFinished) * time.Second)
	if later(at, s.now) {
		s.plan.wake(at)
		return
	}
	s.remove(o.Kind, o.Key)
}

// failure says why a Job failed, "" if it did not.
func (s *syncing) failure(r *run) (reason, message string) {
	spec := &r.job.Spec
	failures := int64(r.job.Status.Failed)
	if spec.Template.Spec.RestartPolicy == corev1.RestartPolicyOnFailure {
		failures += r.restarts
	}
	if spec.BackoffLimit != nil && failures > int64(*spec.BackoffLimit) {
		return batchv1.JobReasonBackoffLimitExceeded, "Job has reached the specified backoff limit"
	}
	if spec.ActiveDeadlineSeconds != nil {
		end := r.job.Status.StartTime.Add(time.Duration(*spec.ActiveDeadlineSeconds) * time.Second)
		if !later(end, s.now) {
			return batchv1.JobReasonDeadlineExceeded, "Job was active longer than specified deadline"
		}
		s.plan.wake(end)
	}
	return "", ""
}

// complete reports whether enough pods have succeeded. Without a number of completions one is enough, when no other runs.
func (r *run) complete() bool {
	if r.job.Spec.Completions == nil {
		return r.job.Status.Succeeded > 0 && len(r.active) == 0
	}
	return r.job.Status.Succeeded >= *r.job.Spec.Completions
}

// stop deletes the pods that run.
func (s *syncing) stop(r *run) {
	for i := range r.active {
		s.remove(kinds.Pod, r.active[i].Key)
	}
}

// endJob ends a Job with two conditions.
func (s *syncing) endJob(r *run, first, last batchv1.JobConditionType, reason, message string) {
	s.stop(r)
	status := &r.job.Status
	status.Active, status.Ready = 0, new(int32)
	for _, kind := range []batchv1.JobConditionType{first, last} {
		now := metav1.NewTime(s.now)
		status.Conditions = append(status.Conditions, batchv1.JobCondition{Type: kind, Status: corev1.ConditionTrue,
			LastProbeTime: now, LastTransitionTime: now, Reason: reason, Message: message})
	}
}

// fill creates the pods that are missing.
func (s *syncing) fill(r *run) {
	spec := &r.job.Spec
	wanted := *spec.Parallelism
	if spec.Completions != nil {
		wanted = min(wanted, *spec.Completions-r.job.Status.Succeeded)
	} else if r.job.Status.Succeeded > 0 {
		return // A pod has said that the work is done.
	}
	missing := wanted - int32(len(r.active))
	if missing <= 0 {
		slices.SortFunc(r.active, spare)
		for i := range -missing {
			s.remove(kinds.Pod, r.active[i].Key)
		}
		return
	}
	if r.failed > 0 {
		wait := min(mostBackoff, firstBackoff<<min(r.failed-1, 10))
		if at := r.lastEnd.Add(wait); later(at, s.now) {
			s.plan.wake(at)
			return
		}
	}
	if r.indexed() {
		s.fillIndexes(r, missing)
		return
	}
	for range missing {
		s.create(kinds.Pod, r.o, podOf(&spec.Template, r.job.Name+"-"))
	}
}

func (r *run) indexed() bool {
	return r.job.Spec.CompletionMode != nil && *r.job.Spec.CompletionMode == batchv1.IndexedCompletion &&
		r.job.Spec.Completions != nil
}

// indexes returns the indexes whose pods have succeeded, in their order, each once.
func (r *run) indexes() []int {
	var list []int
	for i := range r.succeeded {
		if n, known := indexOf(&r.succeeded[i]); known {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func indexOf(p *pod) (int, bool) {
	n, err := strconv.Atoi(p.Fields.Texts("metadata", "annotations")[batchv1.JobCompletionIndexAnnotation])
	return n, err == nil
}

// fillIndexes creates pods for the first indexes that have none.
func (s *syncing) fillIndexes(r *run, missing int32) {
	taken := map[int]bool{}
	for _, n := range r.indexes() {
		taken[n] = true
	}
	for i := range r.active {
		if n, known := indexOf(&r.active[i]); known {
			taken[n] = true
		}
	}
	for n := 0; n < int(*r.job.Spec.Completions) && missing > 0; n++ {
		if taken[n] {
			continue
		}
		missing--
		index := strconv.Itoa(n)
		p := podOf(&r.job.Spec.Template, r.job.Name+"-"+index+"-")
		p.Annotations = with(p.Annotations, batchv1.JobCompletionIndexAnnotation, index)
		p.Labels = with(p.Labels, batchv1.JobCompletionIndexAnnotation, index)
		p.Spec.Hostname = r.job.Name + "-" + index
		for _, list := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
			for i := range list {
				list[i].Env = append(list[i].Env, corev1.EnvVar{Name: "JOB_COMPLETION_INDEX", Value: index})
			}
		}
		s.create(kinds.Pod, r.o, p)
	}
}

// spans writes numbers as a Job shows them: 0,2-4.
func spans(list []int) string {
	text := ""
	for i := 0; i < len(list); i++ {
		first := i
		for i+1 < len(list) && list[i+1] == list[i]+1 {
			i++
		}
		if text != "" {
			text += ","
		}
		text += strconv.Itoa(list[first])
		if i > first {
			text += "-" + strconv.Itoa(list[i])
		}
	}
	return text
}
