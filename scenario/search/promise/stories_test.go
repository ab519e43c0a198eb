package promise_test

// stories are one timeline each, and what it breaks with its last line. Where a story breaks nothing, its neighbour
// does: the two show where the limit is.
var stories = []struct {
	name, lines string
	breaches    []string
}{
	{"a second pod of a name", `set
		up 0
		user-create 0`, []string{"one-pod-a-name: web-0 is created while the one before it is still there"}},
	{"a pod of a name after the one before", `set
		up 0
		evict 0
		gone 0
		create 0`, nil},
	{"two processes", `set
		up 0
		twins 0`, []string{"one-process-an-identity: two processes of web-0 run"}},
	{"two processes after a deletion by force", `set
		up 0
		forced 0
		twins 0`, nil},
	{"two processes after a deletion by force, of a later StatefulSet", `set
		up 0
		forced 0
		set uid=2
		twins 0`, nil},
	{"two processes no more", `set
		up 0
		twins-end 0`, nil},
	{"two processes after a pod has ended by itself", `set
		up 0
		gone 0
		twins 0`, []string{"one-process-an-identity: two processes of web-0 run"}},

	{"a pod while a lower one is missing", `set start=3
		create 4`, []string{"ordered-start: web-4 is created while web-3 is not Running and Ready"}},
	{"a pod while a lower one is not Ready", `set
		up 0 1
		unready 1
		create 2`, []string{"ordered-start: web-2 is created while web-1 is not Running and Ready"}},
	{"a pod while a lower one terminates", `set
		up 0 1
		evict 0
		create 2`, []string{"ordered-start: web-2 is created while web-0 is not Running and Ready"}},
	{"a pod while higher ones are missing", `set
		up 0
		create 1`, nil},
	{"a pod while a lower one is missing, Parallel", `set policy=Parallel
		create 2`, nil},
	{"a pod of the lowest ordinal", `set start=3
		up 2
		unready 2
		create 3`, nil},

	{"a scale-down from below", `set replicas=1
		up 0 1 2
		scale-down 1`, []string{"ordered-stop/order: web-1 is deleted while web-2 is still there"}},
	{"a scale-down from above", `set replicas=1
		up 0 1 2
		scale-down 2`, nil},
	{"a scale-down while a pod that stays is not Ready", `set replicas=1
		up 0 1
		unready 0
		scale-down 1`, []string{"ordered-stop/ready: web-1 is deleted while web-0 is not Running and Ready"}},
	{"a scale-down while a pod that goes is not Ready", `set replicas=1
		up 0 1
		unready 1
		scale-down 1`, nil},
	{"a scale-down from below, Parallel", `set replicas=1 policy=Parallel
		up 0 1 2
		scale-down 1`, nil},
	{"pods below the start go in no order", `set replicas=2 start=2
		up 0 1 2 3
		scale-down 0`, nil},
	{"the first pod above the range goes in order", `set replicas=2 start=2
		up 2 3 4 5
		scale-down 4`, []string{"ordered-stop/order: web-4 is deleted while web-5 is still there"}},
	{"two faults of a scale-down are one breach", `set replicas=1
		up 0 1 2 3
		scale-down 1`, []string{"ordered-stop/order: web-1 is deleted while web-2 is still there"}},
	{"two pods not Ready are one breach", `set replicas=2
		up 0 1 2
		unready 0
		unready 1
		scale-down 2`, []string{"ordered-stop/ready: web-2 is deleted while web-0 is not Running and Ready"}},

	{"an update from below", `set
		up 0 1 2
		set template=2
		update 0`, []string{
		"update-from-the-top/rolling-update: web-0 is deleted before web-1, which is also at an old revision"}},
	{"an update from the top", `set
		up 0 1 2
		set template=2
		update 2`, nil},
	{"an update while a higher pod already terminates", `set
		up 0 1 2
		set template=2 maxUnavailable=2
		evict 2
		update 1`, nil},
	{"an update below a pod that a scale-down will remove", `set
		up 0 1 2
		set template=2 replicas=2
		update 1`, nil},
	{"a deletion by a user is no update", `set
		up 0 1 2
		set template=2 partition=3
		evict 0`, nil},
	{"the replacement of a pod that has ended is no update", `set
		up 0 1 2
		set template=2 partition=3
		recreate 0`, nil},

	{"an update below the partition", `set partition=1
		up 0
		set template=2
		update 0`, []string{
		"partition-kept/deleted/rolling-update: web-0 is deleted for its revision, but the partition is 1"}},
	{"an update at the partition", `set partition=1
		up 0 1
		set template=2
		update 1`, nil},
	{"the partition counts from the start", `set partition=1 start=5 replicas=2
		up 5 6
		set template=2
		update 6`, nil},
	{"below a partition that counts from the start", `set partition=1 start=5 replicas=1
		up 5
		set template=2
		update 5`, []string{
		"partition-kept/deleted/rolling-update: web-5 is deleted for its revision, but the partition is 1"}},
	{"a new pod below the partition during a rollout", `set partition=1
		status 0 0 0 a a
		set template=2
		status 0 0 0 a b
		create 0`, []string{"partition-kept/created: web-0 is created at the new revision, but the partition is 1"}},
	{"an old pod below the partition during a rollout", `set partition=1
		status 0 0 0 a a
		set template=2
		status 0 0 0 a b
		create 0 @1`, nil},
	{"a new pod below the partition before the first rollout", `set partition=1
		status 0 0 0 a b
		create 0`, nil},
	{"a new pod below the partition after a rollout", `set partition=1
		set template=2
		status 0 0 0 b b
		create 0`, nil},
	{"a new pod above the partition during a rollout", `set partition=1
		up 0
		set template=2
		status 0 0 0 a b
		create 1`, nil},
	{"an old pod above the partition", `set partition=1
		up 0
		set template=2
		create 1 @1`, []string{"right-revision-at-once: web-1 is created at an old revision"}},
	{"an old pod with OnDelete", `set strategy=OnDelete
		set template=2
		create 0 @1`, nil},

	{"an update with OnDelete", `set strategy=OnDelete
		up 0
		set template=2
		update 0`, []string{"on-delete-untouched/rolling-update: web-0 is deleted for its revision"}},
	{"an update with OnDelete from below", `set strategy=OnDelete
		up 0 1
		set template=2
		update 0`, []string{"on-delete-untouched/rolling-update: web-0 is deleted for its revision"}},
	{"an update of a pod that is new", `set
		up 0
		update 0`, []string{"no-double-delete/rolling-update: web-0 is deleted by the update, although it is at the " +
		"revision that spec.template asks for"}},
	{"two restarts for one change", `set replicas=1
		up 0
		set template=2
		update 0
		gone 0
		create 0 @2
		ready 0
		set history=9
		set
		evict 0
		gone 0
		user-create 0 @1
		ready 0
		update 0`, []string{
		"one-restart-a-change/rolling-update: web-0 is deleted again for the same change of the template"}},
	{"two restarts for two changes", `set replicas=1
		up 0
		set template=2
		update 0
		gone 0
		create 0 @2
		ready 0
		set template=3
		update 0`, nil},

	{"two pods down for an update", `set
		up 0 1 2
		set template=2
		update 2
		update 1`, []string{
		"keeps-serving/rolling-update: web-1 is deleted while web-2 is still down; 1 of 3 pods serve, " +
			"and maxUnavailable is 1"}},
	{"two pods down for an update, at once", `set
		up 0 1 2
		set template=2
		update 2
		& update 1`, []string{"keeps-serving/rolling-update: web-1 is deleted together with web-2; 1 of 3 pods serve, " +
		"and maxUnavailable is 1"}},
	{"the next pod when the one before is Ready again", `set
		up 0 1 2
		set template=2
		update 2
		gone 2
		create 2 @2
		ready 2
		update 1`, nil},
	{"the next pod when the one before is only created", `set
		up 0 1 2
		set template=2
		update 2
		gone 2
		create 2 @2
		update 1`, []string{
		"keeps-serving/rolling-update: web-1 is deleted while web-2 is still down; 1 of 3 pods serve, " +
			"and maxUnavailable is 1"}},
	{"two pods down with maxUnavailable 2", `set maxUnavailable=2
		up 0 1 2
		set template=2
		update 2
		update 1`, nil},
	{"three pods down with maxUnavailable 2", `set maxUnavailable=2
		up 0 1 2
		set template=2
		update 2
		update 1
		update 0`, []string{
		"keeps-serving/rolling-update: web-0 is deleted while web-2 is still down; 0 of 3 pods serve, " +
			"and maxUnavailable is 2"}},
	{"two pods down with 50% of 4", `set maxUnavailable=50% replicas=4
		up 0 1 2 3
		set template=2
		update 3
		update 2`, nil},
	{"two pods down with 50% of 3, which is 1", `set maxUnavailable=50%
		up 0 1 2
		set template=2
		update 2
		update 1`, []string{
		"keeps-serving/rolling-update: web-1 is deleted while web-2 is still down; 1 of 3 pods serve, " +
			"and maxUnavailable is 1"}},
	{"one pod down with 1% of 3, which is 1 at least", `set maxUnavailable=1%
		up 0 1 2
		set template=2
		update 2`, nil},
	{"a pod that did not serve costs nothing", `set
		up 0 1 2
		unready 1
		set template=2
		update 2
		update 1`, nil},
	{"a pod that a scale-down will remove costs nothing", `set
		up 0 1 2
		set template=2 replicas=2
		update 1
		update 2`, nil},
	{"a pod that is no longer wanted is not missed", `set
		up 0 1 2
		set template=2
		update 2
		set replicas=2
		update 1`, nil},
	{"a pod below the start is not missed", `set policy=Parallel replicas=4
		up 0 1 2 3
		set template=2 start=1 replicas=3 maxUnavailable=1
		update 3
		set start=4 replicas=3
		up 4 @1
		up 5 @1
		up 6 @1
		update 6`, nil},

	{"a pod without its claim", `set claims=data
		create 0`, []string{"claims-created: web-0 is created, and there is no claim data-web-0"}},
	{"a pod with its claim", `set claims=data
		claim data-web-0 add
		create 0`, nil},
	{"a pod with the claim of another", `set claims=data policy=Parallel
		claim data-web-0 add
		create 1`, []string{"claims-created: web-1 is created, and there is no claim data-web-1"}},

	{"a claim that is to be retained", `set replicas=0 whenScaled=Retain
		claim data-web-0 add
		claim data-web-0 going`, []string{"claims-kept/retained: PVC data-web-0 is deleted, but whenScaled is Retain"}},
	{"a claim without a policy", `set replicas=0
		claim data-web-0 add
		claim data-web-0 going`, []string{"claims-kept/retained: PVC data-web-0 is deleted, but whenScaled is Retain"}},
	{"a claim that a user deletes", `set replicas=0
		claim data-web-0 add
		claim data-web-0 taken`, nil},
	{"a claim whose deletion is known", `set
		claim data-web-0 add
		claim data-web-0 taken
		claim data-web-0 going`, nil},
	{"a claim of a replica that is removed", `set replicas=2 whenScaled=Delete
		claim data-web-2 add
		claim data-web-2 going`, nil},
	{"a claim of the last replica", `set whenScaled=Delete
		claim data-web-2 add
		claim data-web-2 going`, []string{
		"claims-kept/wanted: PVC data-web-2 is deleted, but spec.replicas is 3, which includes web-2"}},
	{"a claim of the first replica", `set whenScaled=Delete start=2 replicas=1
		claim data-web-2 add
		claim data-web-2 going`, []string{
		"claims-kept/wanted: PVC data-web-2 is deleted, but spec.replicas is 1, which includes web-2"}},
	{"a claim below the first replica", `set whenScaled=Delete start=2 replicas=1
		claim data-web-1 add
		claim data-web-1 going`, nil},
	{"a claim that a pod uses", `set whenScaled=Delete claims=data
		claim data-web-0 add
		up 0
		claim data-web-0 going`, []string{"claims-kept/used: PVC data-web-0 is deleted, but web-0 uses it"}},
	{"a claim that a pod uses no more", `set whenScaled=Delete claims=data
		claim data-web-0 add
		up 0
		evict 0
		claim data-web-0 going`, []string{
		"claims-kept/wanted: PVC data-web-0 is deleted, but spec.replicas is 3, which includes web-0"}},
	{"a claim of the name that no pod uses", `set whenScaled=Delete claims=data
		claim logs-web-0 add
		up 0
		claim logs-web-0 going`, []string{
		"claims-kept/wanted: PVC logs-web-0 is deleted, but spec.replicas is 3, which includes web-0"}},
	{"a claim of a StatefulSet that is deleted", `set deleting=
		claim data-web-0 add
		claim data-web-0 going`, nil},
	{"a claim that a user has deleted comes again", `set
		claim data-web-0 add
		claim data-web-0 taken
		claim data-web-0 gone
		claim data-web-0 add`, nil},

	{"claims that stay after a scale-down", `set whenScaled=Delete claims=data
		claim data-web-0 add
		claim data-web-1 add
		up 0 1
		set replicas=0
		status 0 0 0 a a
		scale-down 1
		gone 1
		scale-down 0
		gone 0
		settled`, []string{"claims-go: web-1 is removed, data-web-1 is still there, and whenScaled is Delete"}},
	{"claims that go after a scale-down", `set whenScaled=Delete claims=data replicas=0
		claim data-web-0 add
		up 0
		status 0 0 0 a a
		scale-down 0
		gone 0
		claim data-web-0 going
		settled`, nil},
	{"claims that a scale-down leaves, with Retain", `set whenScaled=Retain claims=data replicas=0
		claim data-web-0 add
		up 0
		status 0 0 0 a a
		scale-down 0
		gone 0
		settled`, nil},
	{"claims of a replica that is wanted again", `set whenScaled=Delete claims=data replicas=0
		claim data-web-0 add
		up 0
		scale-down 0
		gone 0
		set replicas=1
		up 0
		status 1 1 1 a a
		settled`, nil},
	{"claims after the policy has changed", `set whenScaled=Delete claims=data replicas=0
		claim data-web-0 add
		up 0
		status 0 0 0 a a
		scale-down 0
		gone 0
		set whenScaled=Retain
		settled`, nil},

	{"a revision that a pod runs", `set history=0
		rev a 1
		up 0
		rev b 2
		set template=2
		unrev a`, []string{"history-kept/used: revision a is deleted, but it is in use"}},
	{"the revision of spec.template", `set history=0
		rev a 1
		rev b 2
		rev c 3
		unrev a`, []string{"history-kept/used: revision a is deleted, but it is in use"}},
	{"the current revision", `set history=0 template=2
		rev a 1
		rev b 2
		rev c 3
		status 0 0 0 c b
		unrev c`, []string{"history-kept/used: revision c is deleted, but it is in use"}},
	{"a revision while as many are unused as may be", `set history=1 template=2
		rev a 1
		rev b 2
		unrev a`, []string{
		"history-kept/early: revision a is deleted, although only 1 are not in use and revisionHistoryLimit is 1"}},
	{"a revision while the limit is negative, which keeps all", `set history=-1 template=3
		rev a 1
		rev b 2
		rev c 3
		unrev a`, []string{
		"history-kept/early: revision a is deleted, although revisionHistoryLimit is -1, which keeps all"}},
	{"a revision while one more is unused", `set history=1 template=3
		rev a 1
		rev b 2
		rev c 3
		unrev a`, nil},
	{"a revision that a user deletes", `set
		rev a 1
		user-unrev a`, nil},
	{"more unused revisions at rest", `set replicas=0 history=1 template=3
		rev a 1
		rev b 2
		rev c 3
		status 0 0 0 c c
		settled`, []string{"history-kept/late: 2 revisions are kept that are not in use, and revisionHistoryLimit is 1"}},
	{"as many unused revisions at rest as may be", `set replicas=0 history=1 template=3
		rev a 1
		rev b 2
		rev c 3
		status 0 0 0 b c
		settled`, nil},
	{"revisions that pods run at rest", `set replicas=1 history=0 template=2 partition=1
		rev a 1
		rev b 2
		up 0 @1
		status 1 1 0 c b
		settled`, nil},
	{"no unused revision and a limit of 0", `set replicas=0 history=0
		rev a 1
		status 0 0 0 a a
		settled`, nil},
	{"unused revisions at rest without a limit", `set replicas=0 history=-1 template=2
		rev a 1
		rev b 2
		status 0 0 0 b b
		settled`, nil},

	{"a negative count", `set
		status 1 -1 0 a a`, []string{"status-counts/negative: a count of the status is negative"}},
	{"a negative count that stays is one breach, one that comes again is two", `set
		status 1 1 -1 a a
		status 1 1 -1 a a
		status 1 1 0 a a
		& status -1 1 0 a a`, []string{
		"status-counts/negative: a count of the status is negative",
		"status-counts/negative: a count of the status is negative"}},
	{"a status without pods at a fixed point", `set
		status 1 0 0 a a
		recount`, []string{
		"status-counts/recount: the status counts 1 pods, 0 of them ready, but there are 0, 0 of them ready"}},
	{"a status that counts a pod as Ready that is not", `set
		up 0
		unready 0
		status 1 1 0 a a
		recount`, []string{
		"status-counts/recount: the status counts 1 pods, 1 of them ready, but there are 1, 0 of them ready"}},
	{"a status of a StatefulSet that is deleted", `set deleting=
		status 1 0 0 a a
		recount`, nil},
	{"a status at rest", `set replicas=0
		status 1 0 0 a a
		settled`, []string{
		"status-counts/recount: the status counts 1 pods, 0 of them ready, but there are 0, 0 of them ready"}},
	{"a status of a StatefulSet that is gone", `set
		no-status`, nil},

	{"complete while a pod is old", `set
		status 3 3 2 a b
		status 3 3 2 b b`, []string{"complete-when-ready: status.currentRevision becomes the update revision, but the " +
		"same status counts 3 pods, 2 of them updated and 3 Ready"}},
	{"complete while a pod is not Ready", `set
		status 3 2 3 a b
		status 3 2 3 b b`, []string{"complete-when-ready: status.currentRevision becomes the update revision, but the " +
		"same status counts 3 pods, 3 of them updated and 2 Ready"}},
	{"complete when all are", `set
		status 3 3 3 a b
		status 3 3 3 b b`, nil},
	{"complete while a pod is left over from a scale-down", `set replicas=2
		status 3 2 2 a b
		status 3 2 2 b b`, nil},
	{"complete in the status that begins another rollout", `set
		status 3 3 0 a b
		status 3 3 0 c c`, nil},
	{"still complete", `set
		status 3 3 3 b b
		status 3 1 3 b b`, nil},
	{"complete while it is deleted", `set
		status 3 3 2 a b
		set deleting=
		status 3 3 2 b b`, nil},

	{"a pod of a StatefulSet that is deleted", `set deleting=
		create 0`, []string{"no-pod-while-deleted: web-0 is created, but its StatefulSet is being deleted"}},
	{"a pod by a user while its StatefulSet is deleted", `set deleting=
		user-create 0`, nil},

	{"a livelock", `set template=2
		livelock create web-0@1 : web-0 does not exist yet; delete web-0@1: it is broken; create web-1@2; create web-1@2`,
		[]string{"comes-to-rest/livelock: create web-N, delete web-N: the controller never stops: it creates web-0 at an " +
			"old revision, deletes web-0 at an old revision, creates web-1, again and again"}},
	{"a limit", `set
		limit`, []string{"comes-to-rest/limit: the controller never stops: it , again and again"}},
	{"an interruption", `set
		interrupted`, nil},

	{"a claim that was deleted against the promise comes again", `set whenScaled=Delete
		claim data-web-2 add
		claim data-web-2 going
		claim data-web-2 gone
		claim data-web-1 add
		claim data-web-2 add`, []string{
		"claims-kept/wanted: PVC data-web-2 is deleted, but spec.replicas is 3, which includes web-2",
		"same-claim-again: PVC data-web-2 is created again, empty"}},
	{"it is empty once", `set whenScaled=Delete claims=data
		claim data-web-2 add
		up 2
		claim data-web-2 going
		claim data-web-2 gone
		claim data-web-2 add
		& claim data-web-2 add`, []string{
		"claims-kept/used: PVC data-web-2 is deleted, but web-2 uses it",
		"same-claim-again: PVC data-web-2 is created again, empty"}},
	{"a retained claim comes again", `set
		claim data-web-2 add
		claim data-web-2 going
		claim data-web-2 gone
		claim data-web-2 add`, []string{
		"claims-kept/retained: PVC data-web-2 is deleted, but whenScaled is Retain",
		"same-claim-again: PVC data-web-2 is created again, empty"}},

	{"at rest", `set replicas=2
		up 0 1
		status 2 2 2 a a
		settled`, nil},
	{"at rest without a pod", `set replicas=2
		up 0
		status 1 1 1 a a
		settled`, []string{"arrives/short: nothing changes any more, but web-1 does not serve"}},
	{"at rest with a pod that is not Ready", `set replicas=2
		up 0 1
		unready 0
		status 2 1 2 a a
		settled`, []string{"arrives/short: nothing changes any more, but web-0 does not serve"}},
	{"at rest with a pod more", `set replicas=1 start=1
		up 0 1
		status 2 2 2 a a
		settled`, []string{"arrives/left over: nothing changes any more, but there are 2 pods, and spec.replicas is 1"}},
	{"at rest with old pods", `set replicas=3 partition=1 start=1
		up 1 2 3
		set template=2
		status 3 3 0 a b
		settled`, []string{"arrives/outdated: nothing changes any more, but web-2 is at an old revision"}},
	{"at rest with old pods below the partition", `set replicas=1 partition=1
		up 0
		set template=2
		status 1 1 0 a b
		settled`, nil},
	{"at rest with old pods and OnDelete", `set replicas=1 strategy=OnDelete
		up 0
		set template=2
		status 1 1 0 a b
		settled`, nil},
	{"at rest while it is deleted", `set deleting=
		settled`, nil},
	{"stuck: what is stuck is not at rest too", `set
		up 0 1
		status 2 2 2 a a
		stuck SyncError web`, []string{
		"arrives/SyncError: 2 of 3 pods serve, and nothing changes any more; web-2 is never created: a call failed, " +
			"and the controller will try again"}},
	{"stuck: all pods exist", `set replicas=2
		up 0 1
		unready 1
		status 2 2 2 a a
		stuck BudgetSpent web-1`, []string{"arrives/BudgetSpent: 1 of 2 pods serve, and nothing changes any more; " +
		"web-1 is unavailable, and maxUnavailable allows only 1 unavailable pod"}},
	{"stuck: more pods than wanted", `set replicas=1
		up 0 1
		stuck TakenForGone web-1`, []string{"arrives/TakenForGone: there are 2 pods, spec.replicas is 1, and nothing " +
		"changes any more; web-1 is believed deleted: the API server wrongly answered NotFound"}},
	{"stuck: a claim that is still there", `set replicas=1
		claim data-web-0 add
		stuck StaleClaim data-web-0`, []string{
		"arrives/StaleClaim: 0 of 1 pods serve, and nothing changes any more; " +
			"web-0 is never created: PVC data-web-0 belongs to a previous pod of this name and will be deleted with it"}},
	{"stuck: a claim that is gone", `set replicas=1
		stuck StaleClaim data-web-0`, []string{
		"arrives/StaleClaim: 0 of 1 pods serve, and nothing changes any more; " +
			"web-0 is never created: the controller waits for the old PVC data-web-0 to go, but does not watch PVCs, so it " +
			"never notices that it has gone"}},
	{"stuck: an image that never became Ready", `set
		create 0
		stuck WaitingForReady web-0`, nil},
	{"stuck: an image that never became available", `set
		create 0
		stuck WaitingForAvailable web-0`, nil},
	{"stuck: an image that never became Ready, unnoticed", `set
		create 0
		stuck Unnoticed web-0`, nil},
	{"stuck: an image that was Ready once", `set replicas=1
		up 0
		unready 0
		stuck WaitingForReady web-0`, []string{"arrives/WaitingForReady: 0 of 1 pods serve, and nothing changes any " +
		"more; web-0 is not Running and Ready"}},
	{"stuck: for a budget, whether its image works or not", `set replicas=1
		create 0
		stuck BudgetSpent web-0`, []string{"arrives/BudgetSpent: 0 of 1 pods serve, and nothing changes any more; " +
		"web-0 is unavailable, and maxUnavailable allows only 1 unavailable pod"}},
	{"stuck: a pod that is not there", `set replicas=1
		stuck WaitingForReady web-0`, []string{"arrives/WaitingForReady: 0 of 1 pods serve, and nothing changes any " +
		"more; web-0 is never created: web-0 is not Running and Ready"}},
	{"stuck: a process that never ends", `set
		up 0
		stuck WaitingForTermination web-0`, nil},
	{"stuck: a drain", `set
		up 0
		stuck DrainBlocked web-0`, nil},
	{"stuck: the bad image is gone from the spec again", `set replicas=1
		up 0
		set template=2
		evict 0
		gone 0
		create 0
		set template=1
		stuck WaitingForReady web-0`, []string{"revert-heals/WaitingForReady: web-0 is not Running and Ready"}},
	{"stuck: the bad image has gone for a third one", `set replicas=1
		up 0
		set template=2
		evict 0
		gone 0
		create 0
		set template=3
		stuck WaitingForReady web-0`, nil},
	{"stuck: an image of before that", `set replicas=1
		create 0
		set template=2
		set template=3
		set template=2
		stuck WaitingForReady web-0`, nil},
}
