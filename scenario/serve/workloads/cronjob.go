package workloads

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/robfig/cron/v3"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// mostMissed is how many times of a schedule are looked at that have passed: only the last one counts.
const mostMissed = 10_000

// cronJob creates a Job at each time of a schedule. It never keeps the cluster going: it acts when time passes.
func (s *syncing) cronJob(o *objects.Object) {
	c, is := typed[*batchv1.CronJob](o)
	if !is || going(o) {
		return
	}
	active, ended := s.jobsOf(o)
	status := batchv1.CronJobStatus{LastScheduleTime: c.Status.LastScheduleTime,
		LastSuccessfulTime: c.Status.LastSuccessfulTime}
	for _, job := range ended {
		if done := job.Status.CompletionTime; done != nil && (status.LastSuccessfulTime == nil ||
			later(done.Time, status.LastSuccessfulTime.Time)) {
			status.LastSuccessfulTime = done
		}
	}
	s.clean(c, ended)
	at := s.due(c)
	forbidden := c.Spec.ConcurrencyPolicy == batchv1.ForbidConcurrent && len(active) > 0
	if !at.IsZero() && !forbidden {
		if c.Spec.ConcurrencyPolicy == batchv1.ReplaceConcurrent {
			for _, job := range active {
				s.remove(kinds.Job, job.Key)
			}
			active = nil
		}
		s.start(o, c, at)
		status.LastScheduleTime = &metav1.Time{Time: at}
	}
	for _, job := range active {
		status.Active = append(status.Active, corev1.ObjectReference{APIVersion: "batch/v1", Kind: "Job",
			Namespace: job.Namespace, Name: job.Name, UID: job.UID})
	}
	c.Status = status
	s.status(o, c)
}

// due returns the last time of the schedule that has come since the last Job, zero without one, and asks to be asked again
// at the next one.
func (s *syncing) due(c *batchv1.CronJob) time.Time {
	if c.Spec.Suspend != nil && *c.Spec.Suspend {
		return time.Time{}
	}
	schedule, err := cron.ParseStandard(c.Spec.Schedule)
	if err != nil {
		return time.Time{}
	}
	zone := time.UTC
	if name := c.Spec.TimeZone; name != nil {
		if zone, err = time.LoadLocation(*name); err != nil {
			return time.Time{}
		}
	}
	last := c.CreationTimestamp.Time
	if c.Status.LastScheduleTime != nil {
		last = c.Status.LastScheduleTime.Time
	}
	var at time.Time
	next := schedule.Next(last.In(zone))
	for range mostMissed {
		if next.IsZero() || later(next, s.now) {
			break
		}
		at, next = next, schedule.Next(next)
	}
	if !next.IsZero() {
		s.plan.Alarm = sooner(s.plan.Alarm, next.UTC())
	}
	if late := c.Spec.StartingDeadlineSeconds; late != nil && s.now.Sub(at) > time.Duration(*late)*time.Second {
		return time.Time{}
	}
	return at.UTC().Truncate(time.Second)
}

// start creates the Job of a time.
func (s *syncing) start(o *objects.Object, c *batchv1.CronJob, at time.Time) {
	template := c.Spec.JobTemplate.DeepCopy()
	s.create(kinds.Job, o, &batchv1.Job{ObjectMeta: metav1.ObjectMeta{
		Name: c.Name + "-" + strconv.FormatInt(at.Unix()/60, 10), Labels: template.Labels,
		Annotations: with(template.Annotations, batchv1.CronJobScheduledTimestampAnnotation, at.Format(time.RFC3339)),
	}, Spec: template.Spec})
}

// started is a Job of a CronJob.
type started struct {
	*batchv1.Job
	Key model.Key
}

// jobsOf returns the active Jobs of a CronJob, and its finished ones.
func (s *syncing) jobsOf(o *objects.Object) (active, ended []started) {
	for _, one := range s.owned(kinds.Job, o) {
		job, is := typed[*batchv1.Job](one)
		switch {
		case !is || going(one):
		case ending(job) != nil:
			ended = append(ended, started{job, one.Key})
		default:
			active = append(active, started{job, one.Key})
		}
	}
	return active, ended
}

// clean deletes the oldest finished Jobs above the limits of the history.
func (s *syncing) clean(c *batchv1.CronJob, ended []started) {
	limits := map[batchv1.JobConditionType]*int32{batchv1.JobComplete: c.Spec.SuccessfulJobsHistoryLimit,
		batchv1.JobFailed: c.Spec.FailedJobsHistoryLimit}
	for _, kind := range slices.Sorted(maps.Keys(limits)) {
		limit := limits[kind]
		if limit == nil {
			continue
		}
		list := slices.DeleteFunc(slices.Clone(ended), func(job started) bool { return ending(job.Job).Type != kind })
		for _, job := range list[:max(0, len(list)-int(*limit))] {
			s.remove(kinds.Job, job.Key)
		}
	}
}
