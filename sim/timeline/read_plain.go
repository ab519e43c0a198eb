package timeline

import "bytes"

// plain reads the lines that most of a timeline consists of: those of pods, waits, statuses and Kubernetes events, as
// AppendJSON writes them. It knows no white space, no escapes and no letter beyond ASCII; for a line that has them,
// or a field that such an event does not have, it gives up, and encoding/json reads the line. Its result is the same,
// in a tenth of the time.
//
// Each of its methods returns false if it gives up; then the place at which it stands means nothing.
type plain struct {
	text []byte
	at   int
	// known are texts that were read lately, by a cheap hash, so that the name of a pod is not allocated for each of its
	// events.
	known [256]string
}

// read fills an empty line. If it returns false, the line is undefined.
func (p *plain) read(text []byte, l *line) bool {
	p.text, p.at = text, 0
	return p.object(func(key []byte) bool { return p.field(key, l) }) && p.at == len(text)
}

// object reads an object whose fields another function reads.
func (p *plain) object(field func(key []byte) bool) bool {
	if !p.skip('{') {
		return false
	}
	for {
		key, is := p.quoted()
		if !is || !p.skip(':') || !field(key) {
			return false
		}
		if p.skip('}') {
			return true
		}
		if !p.skip(',') {
			return false
		}
	}
}

// field reads one field of a line.
func (p *plain) field(key []byte, l *line) bool {
	if to := l.textOf(key); to != nil {
		return p.string(to)
	}
	switch string(key) {
	case "t":
		l.T = new(seconds)
		return p.seconds(l.T)
	case "since":
		return p.seconds(&l.Since)
	case "template":
		return number(p, &l.Template)
	case "revision":
		return number(p, &l.Revision)
	case "nth":
		return number(p, &l.Nth)
	case "have":
		return number(p, &l.Have)
	case "want":
		return number(p, &l.Want)
	case "bare":
		return p.boolean(&l.Bare)
	case "ready":
		return p.boolean(&l.Ready)
	case "passing":
		return p.boolean(&l.Passing)
	case "ended":
		return p.boolean(&l.Ended)
	case "status":
		return p.status(l)
	}
	return false
}

// textOf returns the text that a field is read into, nil if the field is no text.
func (l *line) textOf(key []byte) *string {
	switch string(key) {
	case "event":
		return &l.Event
	case "actor":
		return &l.Actor
	case "pod":
		return &l.Pod
	case "state":
		return &l.State
	case "image":
		return &l.Image
	case "node":
		return &l.Node
	case "reason":
		return &l.Reason
	case "message":
		return &l.Message
	case "statefulset":
		return &l.StatefulSet
	case "namespace":
		return &l.Namespace
	case "uid":
		return &l.UID
	case "rule":
		return &l.Rule
	case "object":
		return &l.Object
	case "type":
		return &l.Type
	}
	return nil
}

// status reads a status without conditions.
func (p *plain) status(l *line) bool {
	if l.Status != nil {
		return false
	}
	l.Status = &statusLine{}
	s := l.Status
	return p.object(func(key []byte) bool {
		switch string(key) {
		case "observedGeneration":
			return number(p, &s.ObservedGeneration)
		case "replicas":
			return number(p, &s.Replicas)
		case "readyReplicas":
			return number(p, &s.Ready)
		case "availableReplicas":
			return number(p, &s.Available)
		case "currentReplicas":
			return number(p, &s.Current)
		case "updatedReplicas":
			return number(p, &s.Updated)
		case "currentRevision":
			return p.string(&s.CurrentRevision)
		case "updateRevision":
			return p.string(&s.UpdateRevision)
		case "collisionCount":
			return number(p, &s.CollisionCount)
		}
		return false
	})
}

// skip goes past a byte if it is the next one.
func (p *plain) skip(b byte) bool {
	if p.at < len(p.text) && p.text[p.at] == b {
		p.at++
		return true
	}
	return false
}

// quoted reads a text in quotes that stands for itself.
func (p *plain) quoted() ([]byte, bool) {
	if !p.skip('"') {
		return nil, false
	}
	text := p.text[p.at:]
	end := bytes.IndexByte(text, '"')
	if end < 0 {
		return nil, false
	}
	text = text[:end]
	for _, b := range text {
		if b-' ' >= 0x80-' ' || b == '\\' {
			return nil, false
		}
	}
	p.at += end + 1
	return text, true
}

// string reads a text, and shares its memory with an equal one that was read lately.
func (p *plain) string(to *string) bool {
	text, is := p.quoted()
	if !is {
		return false
	}
	if len(text) == 0 {
		*to = ""
		return true
	}
	last := len(text) - 1
	slot := &p.known[(uint(text[last])+uint(text[last/2])*7+uint(len(text))*31)%uint(len(p.known))]
	if *slot != string(text) {
		*slot = string(text)
	}
	*to = *slot
	return true
}

// digits reads decimal digits as a number, at most 9 of them; n says how many there are.
func (p *plain) digits() (value int64, n int) {
	for ; p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9'; p.at++ {
		value = 10*value + int64(p.text[p.at]-'0')
		if n++; n > 9 {
			return 0, 0
		}
	}
	return value, n
}

// whole reads an integer without a sign as JSON has it, without a 0 in front.
func (p *plain) whole() (int64, bool) {
	from := p.at
	value, n := p.digits()
	return value, n == 1 || n > 1 && p.text[from] != '0'
}

// number reads a small integer. It gives up on a fraction or an exponent.
func number[T int | int32 | int64](p *plain, to *T) bool {
	value, is := p.whole()
	*to = T(value)
	return is && p.at < len(p.text) && (p.text[p.at] == ',' || p.text[p.at] == '}')
}

// seconds reads a number of seconds with at most nine places after the point, and gives up unless a comma or a brace
// follows: an exponent, say.
func (p *plain) seconds(to *seconds) bool {
	value, is := p.whole()
	if !is {
		return false
	}
	value *= 1e9
	if p.skip('.') {
		fraction, n := p.digits()
		if n == 0 {
			return false
		}
		for ; n < 9; n++ {
			fraction *= 10
		}
		value += fraction
	}
	*to = seconds(value)
	return p.at < len(p.text) && (p.text[p.at] == ',' || p.text[p.at] == '}')
}

// boolean reads true or false.
func (p *plain) boolean(to *bool) bool {
	for _, value := range [...]bool{true, false} {
		word := "false"
		if value {
			word = "true"
		}
		if end := p.at + len(word); end <= len(p.text) && string(p.text[p.at:end]) == word {
			*to, p.at = value, end
			return true
		}
	}
	return false
}
