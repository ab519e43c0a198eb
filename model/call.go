package model

// Calls is how a controller acts: one call, one reply. What a sync does next may depend on every reply, so a
// controller must not collect its calls and send them later.
type Calls interface {
	// Do sends one call to the API server and returns its reply. When it returns, the objects of the call belong to the
	// controller again: an implementation that keeps one keeps a copy.
	Do(Call) Reply
	// Fork runs n branches that are concurrent upstream, each with a chain of calls of its own. All of them run to their
	// end, even if others fail; the world chooses the order. It returns when all have ended.
	Fork(n int, branch func(i int))
	// Record sends an event about the set to the event recorder. It costs no call and has no reply.
	Record(K8sEvent)
}

// Verb names the operation of a call: create, update, delete and so on.
type Verb uint8

// The verbs.
const (
	Create Verb = iota + 1
	Update
	UpdateStatus
	Delete
	// Get reads an object from the API server itself, past the cache.
	Get
	// Adopt and Release patch only the owner references of an object: they add the Owner, which becomes its
	// controller, or remove the references with the Owner's UID. The patch contains the object's own UID: if the
	// object has another one, or already has a controller, the reply is Invalid. Its version is not a precondition.
	// Only pods are released.
	Adopt
	Release
)

var verbNames = [...]string{"", "create", "update", "update status of", "delete", "get", "adopt", "release"}

// String returns the verb as a word.
func (v Verb) String() string { return verbNames[v] }

// Call is one request to the API server. The verbs Create, Update and UpdateStatus need exactly one of Pod, Claim,
// Revision and Set, matching the Kind; the other verbs only need Kind and Key.
type Call struct {
	Verb Verb
	Kind Kind
	Key  Key
	// UID, if not 0, is a precondition: the call fails with Conflict if the object has another one.
	UID UID
	// Owner is the owner reference that Adopt adds and Release removes.
	Owner Owner

	Pod      *Pod
	Claim    *Claim
	Revision *Revision
	Set      *StatefulSet

	// Why is the reason for the call.
	Why Why
}

// Reply is the API server's answer to a call: the object as it is stored now, or an error.
type Reply struct {
	Err *APIError

	Pod      *Pod
	Claim    *Claim
	Revision *Revision
	Set      *StatefulSet
}

// APIError is a refusal of the API server, or a failure on the way to it.
type APIError struct {
	Reason  ErrorReason
	Message string
	// Alike is true of a refusal of a pod although pods with the same spec run, as far as a dump shows: it is hardly the
	// spec that is refused. The API server says no such thing.
	Alike bool
	// Cause is the part of the error's details that the API returns and kubectl does not print; "" if there is none.
	Cause string
}

// Whole returns the message with its cause.
func (e *APIError) Whole() string {
	if e.Cause == "" {
		return e.Message
	}
	return e.Message + " " + e.Cause
}

// Error returns the message as the API server words it.
func (e *APIError) Error() string { return e.Message }

// ErrorReason is the machine-readable part of an APIError.
type ErrorReason uint8

// The reasons that a controller distinguishes, and those that a fault may return.
const (
	AlreadyExists ErrorReason = iota + 1
	NotFound
	Conflict
	Invalid
	Forbidden
	Timeout
	TooManyRequests
	InternalError
	ServerTimeout
)

var errorNames = [...]string{
	"", "AlreadyExists", "NotFound", "Conflict", "Invalid", "Forbidden", "Timeout", "TooManyRequests", "InternalError",
	"ServerTimeout",
}

// String returns the reason's name in the API.
func (r ErrorReason) String() string { return errorNames[r] }

// Is reports whether err is an APIError with that reason. A nil error is none.
func (r ErrorReason) Is(err error) bool {
	api, ok := err.(*APIError)
	return ok && api != nil && api.Reason == r
}

// K8sEvent is an event as `kubectl describe` shows it.
type K8sEvent struct {
	// Object is the object it is about: the set.
	Object Key
	// Warning is the event's type; if false it is Normal.
	Warning bool
	// Reason is the event's own word, SuccessfulCreate, say. Message is worded as the version words it.
	Reason, Message string
}
