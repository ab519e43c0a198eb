package timeline

/*
The JSON lines format. Each line is one object; a field whose value is empty or zero is left out, except t, event, and
where the table says so. Times and durations are decimal numbers of seconds with at most nine places and no exponent.
These names keep their meaning; a reader must tolerate names and kinds that it does not know.

	field         of which events   meaning
	t             all (always)      the instant
	event         all (always)      run, pod, step, sync, wait, status, revision, claim, k8sEvent, fault, result,
	                                container, dns, owner, node, process, budget
	actor         all               user, controller, scheduler, kubelet, apiserver; dump for the state that the run begins
	                                with
	pod           pod, wait, dns,   the pod's name; of a wait, the pod that is waited for
	              container
	state         pod               the state the pod enters
	template      pod, revision,    N of @N: the set's N-th distinct template in this run
	              dns
	revision      pod, revision     the ControllerRevision's number at that instant
	image         pod               the image of the first container
	node          pod, node,        the node the pod is bound to; the node that changes; the node that the process
	              process           runs on
	ip            pod, dns          the pod's address, from when it runs, in a run that has a Service; of a Service itself
	                                its cluster IP, left out where it is headless
	reason        all               a code, or the field's own word (Evicted)
	message       all               the reason as a sentence
	statefulset   all               the set it belongs to
	namespace     all               its namespace
	verdict       result            settled, stuck, livelock, refused, limit, interrupted
	uid           pod, dns          tells pods of one name apart
	nth           pod               which life of the pod's name this is, from 1
	rule          all               the rule behind the reason
	object        all               what is acted on or waited for
	have, want    all               the numbers that the rule compares
	ready         pod               true: rule broken-first replaces a pod that is Ready, but not yet
	                                for minReadySeconds

	container     container, pod    the container that has changed
	shown         container, pod    what kubectl shows as STATUS in place of the phase: CrashLoopBackOff
	restarts      container         how often the pod's containers have been started again (always; in an event of a pod
	              (always), pod     where one has the fields of its containers)
	readyContainers, containers     how many of the pod's containers are ready, and how many there are
	              container, pod

	format        run (always)      the version of this format
	sim           run               the version of sim
	scenario      run               the scenario's name
	kubernetes    run               the profile, MAJOR.MINOR.PATCH
	featureGates  run               an object: gate to true or false
	seed          run (always)      the seed
	digest        run, result       of the scenario as it was read; of all lines before the result
	until         run               the limit of virtual time
	dnsTTL        run               how long the DNS caches its answers, where it does

	step          step (always)     the step's number, from 1
	name          step              its name, where the scenario gives one
	verb          step              its key in the scenario: setImage
	does          step              what it does, in words
	trigger       step              what it waited for: at, after, settled, or a command like kubectl wait, as it is typed
	delay         step              the number of at or after
	effect        step              created, configured, unchanged, deleted, done, none, refused
	refusal       step              the API server's refusal
	cause         step              what the API has of the refusal beside its words, and kubectl does not print
	refused       step              what the scenario expects the refusal to contain
	sets          step              the sets it created or changed, as they are stored afterwards: an array of objects
	                                with namespace, name, uid, generation, template (the N of @N) and spec (in
	                                Kubernetes' own field names, pod templates and claims in full)
	removed       step              the sets it deleted, as NAMESPACE/NAME

	fault         fault             the fault's number in the scenario, from 1; beside it stand name, verb, does, trigger
	                                (in words), effect, refusal, sets and removed as in a step

	ended         wait, process     false where it begins, true where it ends
	              (always)
	since         wait, process     when it began
	              (always)
	status        status            the set's status in Kubernetes' own field names, zeros included; lastTransitionTime
	                                in seconds
	change        revision, claim,  added, modified, deleted
	              dns
	name          revision          the ControllerRevision's name
	changeCause   revision          its annotation kubernetes.io/change-cause, which was the set's when it was made
	claim         claim             the claim's name
	phase         claim             Pending, Bound, Terminating
	owners        claim             what the claim goes with, as KIND/NAME: an array
	type          k8sEvent          Normal, Warning
	passing       k8sEvent          true where what it complains of is over in the same instant; else it is left out
	nodeState     node              the node after the change: zone, up (its kubelet works; all else is what its object
	                                says), ready, cordoned, outOfService, unreachable, deleted
	budget        budget            the status of a PodDisruptionBudget after a change: namespace, name,
	                                disruptionsAllowed,
	                                currentHealthy, desiredHealthy, expectedPods
	service       dns               the Service that publishes the pod; without a pod, the Service that the DNS learns of
	hostname      dns               the name that the pod has below the Service's, where it has one
	ports         dns               of a Service itself, its named ports as SRV records have them: _http._tcp
	names         dns               the full names whose answers change

	stuck         result            each set that is stuck: namespace, statefulset, reason, rule, object, have, want,
	                                message, since
	repeats       result            the writes that repeat, for a livelock
	warnings      result            what a user should know, whatever the verdict
	events        result (always)   how many events stand before this one
	syncs         result (always)   how many syncs the controller did
*/
