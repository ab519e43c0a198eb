package course

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// TestLessons: each lesson asks before it plays, plays in parts, and answers after.
func TestLessons(t *testing.T) {
	require.NotEmpty(t, Lessons())
	for i, l := range Lessons() {
		parts, err := l.Parts("", func() bool { return false }, render.Style{})
		require.NoError(t, err, l.file)
		require.True(t, strings.HasPrefix(l.Title(), strconv.Itoa(i+1)+". "), l.file)
		require.Greater(t, len(parts), 6, l.file)

		first, end, why, last := parts[0], parts[len(parts)-3], parts[len(parts)-2], parts[len(parts)-1]
		require.True(t, strings.HasPrefix(first.Text, l.Title()+"\n"), l.file)
		require.Contains(t, first.Text, "\nThe question\n", l.file)
		require.Regexp(t, `^Your answer \(a, b(, c)? or [cd]\), then Enter; without one: Enter$`, first.ask)
		require.Regexp(t, `^[a-d]$`, first.right, l.file)
		require.Contains(t, first.Text, "\n- "+first.right+") ", "%s: the right answer is one to choose", l.file)
		require.NotContains(t, first.Text, "What happens", l.file)
		require.Contains(t, parts[1].Text, "STEP 1", l.file)
		require.Equal(t, askOn, parts[1].ask)
		require.Equal(t, Part{Text: end.Text, ask: askWhy, judged: true, step: end.step}, end, "the verdict stands before the pause")
		require.True(t, strings.HasPrefix(why.Text, "\nWhat happens, and why\n"), l.file)
		require.Equal(t, askMore, why.ask)
		require.True(t, strings.HasPrefix(last.Text, "\nTry it\n"), l.file)
	}
}

// TestPresent: between two parts is a pause, and who leaves sees no more.
func TestPresent(t *testing.T) {
	parts := []Part{{Text: "a", ask: "1"}, {Text: "b", ask: "2"}, {Text: "c"}}
	gone := errors.New("gone")
	for pauses, want := range []string{"a", "ab", "abc"} {
		for _, reason := range []error{nil, gone} {
			var out bytes.Buffer
			var asked []string
			err := Present(&out, parts, asks(func(ask string) (reply, error) {
				if asked = append(asked, ask); len(asked) > pauses {
					return reply{leave: true}, reason
				}
				return reply{}, nil
			}))
			require.Equal(t, want, out.String())
			require.Equal(t, []string{"1", "2"}[:min(pauses+1, 2)], asked)
			if pauses < 2 {
				require.Equal(t, reason, err)
			}
		}
	}
}

type asks func(ask string) (reply, error)

func (f asks) pause(ask string) (reply, error) { return f(ask) }

// TestAnswer: an answer is judged before it is said why, and s goes to the next step without a pause.
func TestAnswer(t *testing.T) {
	parts := []Part{{Text: "question ", ask: "answer?", right: "b"}, {Text: "step ", ask: askOn, step: true},
		{Text: "tick ", ask: askOn}, {Text: "tick ", ask: askOn}, {Text: "step ", ask: askWhy, step: true, judged: true}, {Text: "why"}}
	for answer, want := range map[string]string{
		"": "why", "b": "\nYour answer b is right.\nwhy",
		" B) ":      "\nYour answer b is right.\nwhy",
		"web-\x1b2": "\nYour answer was web-\\x1b2; right is b.\nwhy",
	} {
		var out bytes.Buffer
		replies, asked := []reply{{text: answer}, {step: true}, {}}, 0
		err := Present(&out, parts, asks(func(string) (reply, error) {
			asked++
			return replies[asked-1], nil
		}))
		require.NoError(t, err)
		require.Equal(t, "question step tick tick step "+want, out.String())
		require.Equal(t, 3, asked, "between the two steps nobody was asked")
	}
}

func TestPause(t *testing.T) {
	tests := []struct {
		name, in, out string
		erase         bool
		// more are the answers of three pauses.
		more [3]bool
	}{
		{name: "Enter", in: "\n\n\n", out: "-- on? -- on? -- on? ", more: [3]bool{true, true, true}},
		{name: "leave", in: "\n\n q \n", out: "-- on? -- on? -- on? ", more: [3]bool{true, true, false}},
		{name: "the end of the input", in: "\n\nx", out: "-- on? -- on? -- on? \n", more: [3]bool{true, true, false}},
		{name: "erased", in: "\n\nQ\n", out: strings.Repeat("-- on? \x1b[A\x1b[2K\r", 3), erase: true,
			more: [3]bool{true, true, false}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			p := &Pauser{Out: &out, Ctx: t.Context(), On: true, Erase: tt.erase,
				In: bufio.NewReader(strings.NewReader(tt.in))}
			for _, want := range tt.more {
				said, err := p.pause(askOn)
				require.NoError(t, err)
				require.Equal(t, want, !said.leave)
			}
			require.Equal(t, strings.ReplaceAll(tt.out, "on?", askOn), out.String())
		})
	}
}

// TestBack: who goes back sees again what stood before the pause before, up to the question, and may answer it anew.
func TestBack(t *testing.T) {
	parts := []Part{{Text: "question ", ask: "answer?", right: "b"}, {Text: "1 ", ask: askOn, step: true}, {Text: "2 ", ask: askOn},
		{Text: "3 ", ask: askOn, step: true}, {Text: "4 ", ask: askWhy, judged: true}, {Text: "why"}}
	back, on, step := reply{back: true}, reply{}, reply{step: true}
	var out bytes.Buffer
	replies := []reply{{text: "a"}, back, {text: "b"}, step, back, on, on, back, back, back, {text: "b"}, on, on, on, on}
	err := Present(&out, parts, asks(func(string) (reply, error) {
		next := replies[0]
		replies = replies[1:]
		return next, nil
	}))
	require.NoError(t, err)
	require.Equal(t, "question 1 question 1 2 3 1 2 3 2 1 question 1 2 3 4 \nYour answer b is right.\nwhy", out.String())
	require.Empty(t, replies)
}

// TestKeys: a key that the prompt names is an answer, without Enter; others, and those that send several bytes, are
// not.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		name, ask, typed string
		want             reply
		// shown is what stands behind the prompt.
		shown string
	}{
		{"Enter", askOn, "\r", reply{}, ""},
		{"Space", askOn, " ", reply{}, ""},
		{"n", askOn, "n", reply{}, ""},
		{"a step", askOn, "S", reply{text: "s", step: true}, "s"},
		{"the rest", askOn, "r", reply{text: "r", rest: true}, "r"},
		{"back", askOn, "p", reply{text: "p", back: true}, "p\n-- back"},
		{"quit", askOn, "q", reply{text: "q", leave: true}, "q"},
		{"Ctrl-D", askOn, "\x04", reply{text: "q", leave: true}, "q"},
		{"the end of the input", askOn, "", reply{text: "q", leave: true}, "q"},
		{"keys that mean nothing", askOn, "abx7\xc3é\t\x00q", reply{text: "q", leave: true}, "q"},
		{"an arrow", askOn, "\x1b[A", reply{text: "q", leave: true}, "q"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			restored := 0
			p := &Pauser{Out: &out, Ctx: t.Context(), On: true, In: bufio.NewReader(strings.NewReader(c.typed)),
				Keys: func() func() { return func() { restored++ } }}
			said, err := p.pause(c.ask)
			require.NoError(t, err)
			require.Equal(t, c.want, said)
			require.Equal(t, "-- "+c.ask+" "+c.shown+"\n", out.String())
			require.Equal(t, 1, restored)
		})
	}
}

// TestQuestion: the answer is a line that stays to be read, and a word is not taken for several keys.
func TestQuestion(t *testing.T) {
	const question = "Your answer (a, b or c), then Enter; without one: Enter"
	for typed, want := range map[string]reply{
		"b\n": {text: "b"}, "C)\n": {text: "c"}, "\n": {}, "banana\nd\n?\na\n": {text: "a"}, "q\n": {text: "q", leave: true},
	} {
		var out bytes.Buffer
		p := &Pauser{Out: &out, Ctx: t.Context(), On: true, Erase: true,
			In: bufio.NewReader(strings.NewReader(typed)), Keys: func() func() { panic("a question takes no single keys") }}
		said, err := p.pause(question)
		require.NoError(t, err)
		require.Equal(t, want, said)
		wrong := strings.Count(typed, "\n") - 1
		require.Equal(t, strings.Repeat("-- "+question+" "+helpAnswer, wrong)+"-- "+question+" ", out.String())
	}
}

// TestHelpOfKeys: ? says what the keys do, and asks again.
func TestHelpOfKeys(t *testing.T) {
	var out bytes.Buffer
	p := &Pauser{Out: &out, Ctx: t.Context(), On: true, In: bufio.NewReader(strings.NewReader("?\n\n"))}
	said, err := p.pause(askOn)
	require.NoError(t, err)
	require.Equal(t, reply{}, said)
	require.Equal(t, "-- "+askOn+" "+helpOn+"-- "+askOn+" ", out.String())
}

// TestPauseInterrupted: Ctrl-C ends a pause, also one that was not begun yet.
func TestPauseInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	p := &Pauser{Out: &out, Ctx: ctx, On: true, In: bufio.NewReader(waiting{cancel})}
	_, err := p.pause("on?")
	require.ErrorIs(t, err, work.ErrInterrupted)
	require.Equal(t, "-- on? \n", out.String())

	p.On = false
	_, err = p.pause("on?")
	require.ErrorIs(t, err, work.ErrInterrupted)

	ctx, cancel = context.WithCancel(t.Context())
	restored := 0
	p = &Pauser{Out: &out, Ctx: ctx, On: true, In: bufio.NewReader(waiting{cancel}),
		Keys: func() func() { return func() { restored++ } }}
	_, err = p.pause("on?")
	require.ErrorIs(t, err, work.ErrInterrupted)
	require.Equal(t, 1, restored, "the terminal is as it was")
}

// waiting is a standard input at which somebody presses Ctrl-C.
type waiting struct{ cancel func() }

func (w waiting) Read([]byte) (int, error) {
	w.cancel()
	select {}
}
