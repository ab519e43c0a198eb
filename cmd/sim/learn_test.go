package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// TestLessons: each lesson asks before it plays, plays in parts, and answers after.
func TestLessons(t *testing.T) {
	require.NotEmpty(t, lessons())
	for i, l := range lessons() {
		parts, err := l.parts(func() bool { return false }, render.Style{})
		require.NoError(t, err, l.file)
		require.True(t, strings.HasPrefix(l.title(), strconv.Itoa(i+1)+". "), l.file)
		require.Greater(t, len(parts), 6, l.file)

		first, end, why, last := parts[0], parts[len(parts)-3], parts[len(parts)-2], parts[len(parts)-1]
		require.True(t, strings.HasPrefix(first.text, l.title()+"\n"), l.file)
		require.Contains(t, first.text, "\nThe question\n", l.file)
		require.Regexp(t, `^Your answer \(a, b(, c)? or [cd]\), then Enter; without one: Enter$`, first.ask)
		require.Regexp(t, `^[a-d]$`, first.right, l.file)
		require.Contains(t, first.text, "\n- "+first.right+") ", "%s: the right answer is one to choose", l.file)
		require.NotContains(t, first.text, "What happens", l.file)
		require.Contains(t, parts[1].text, "STEP 1", l.file)
		require.Equal(t, askOn, parts[1].ask)
		require.Equal(t, part{text: end.text, ask: askWhy, judged: true, step: end.step}, end, "the verdict stands before the pause")
		require.True(t, strings.HasPrefix(why.text, "\nWhat happens, and why\n"), l.file)
		require.Equal(t, askMore, why.ask)
		require.True(t, strings.HasPrefix(last.text, "\nTry it\n"), l.file)
	}
}

// TestPresent: between two parts is a pause, and who leaves sees no more.
func TestPresent(t *testing.T) {
	parts := []part{{text: "a", ask: "1"}, {text: "b", ask: "2"}, {text: "c"}}
	gone := errors.New("gone")
	for pauses, want := range []string{"a", "ab", "abc"} {
		for _, reason := range []error{nil, gone} {
			var out bytes.Buffer
			var asked []string
			how, err := present(&out, parts, asks(func(ask string) (reply, error) {
				if asked = append(asked, ask); len(asked) > pauses {
					return reply{leave: true}, reason
				}
				return reply{}, nil
			}))
			require.Equal(t, want, out.String())
			require.Equal(t, []string{"1", "2"}[:min(pauses+1, 2)], asked)
			if pauses < 2 {
				require.Equal(t, reason, err)
				require.Empty(t, how, "who leaves has not come through")
			} else {
				require.Equal(t, watched, how)
			}
		}
	}
}

type asks func(ask string) (reply, error)

func (f asks) pause(ask string) (reply, error) { return f(ask) }

// TestAnswer: an answer is judged before it is said why, and s goes to the next step without a pause.
func TestAnswer(t *testing.T) {
	parts := []part{{text: "question ", ask: "answer?", right: "b"}, {text: "step ", ask: askOn, step: true},
		{text: "tick ", ask: askOn}, {text: "tick ", ask: askOn}, {text: "step ", ask: askWhy, step: true, judged: true}, {text: "why"}}
	for answer, want := range map[string][2]string{
		"": {watched, "why"}, "b": {answeredRight, "\nYour answer b is right.\nwhy"},
		" B) ":      {answeredRight, "\nYour answer b is right.\nwhy"},
		"web-\x1b2": {answeredWrong, "\nYour answer was web-\\x1b2; right is b.\nwhy"},
	} {
		var out bytes.Buffer
		replies, asked := []reply{{text: answer}, {step: true}, {}}, 0
		how, err := present(&out, parts, asks(func(string) (reply, error) {
			asked++
			return replies[asked-1], nil
		}))
		require.NoError(t, err)
		require.Equal(t, want[0], how)
		require.Equal(t, "question step tick tick step "+want[1], out.String())
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
			p := &pauser{streams: &streams{out: &out, ctx: t.Context()}, on: true, erase: tt.erase,
				in: bufio.NewReader(strings.NewReader(tt.in))}
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
	parts := []part{{text: "question ", ask: "answer?", right: "b"}, {text: "1 ", ask: askOn, step: true}, {text: "2 ", ask: askOn},
		{text: "3 ", ask: askOn, step: true}, {text: "4 ", ask: askWhy, judged: true}, {text: "why"}}
	back, on, step := reply{back: true}, reply{}, reply{step: true}
	var out bytes.Buffer
	replies := []reply{{text: "a"}, back, {text: "b"}, step, back, on, on, back, back, back, {text: "b"}, on, on, on, on}
	how, err := present(&out, parts, asks(func(string) (reply, error) {
		next := replies[0]
		replies = replies[1:]
		return next, nil
	}))
	require.NoError(t, err)
	require.Equal(t, answeredRight, how)
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
			p := &pauser{streams: &streams{out: &out, ctx: t.Context()}, on: true, in: bufio.NewReader(strings.NewReader(c.typed)),
				keys: func() func() { return func() { restored++ } }}
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
		p := &pauser{streams: &streams{out: &out, ctx: t.Context()}, on: true, erase: true,
			in: bufio.NewReader(strings.NewReader(typed)), keys: func() func() { panic("a question takes no single keys") }}
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
	p := &pauser{streams: &streams{out: &out, ctx: t.Context()}, on: true, in: bufio.NewReader(strings.NewReader("?\n\n"))}
	said, err := p.pause(askOn)
	require.NoError(t, err)
	require.Equal(t, reply{}, said)
	require.Equal(t, "-- "+askOn+" "+helpOn+"-- "+askOn+" ", out.String())
}

// TestPauseInterrupted: Ctrl-C ends a pause, also one that was not begun yet.
func TestPauseInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	p := &pauser{streams: &streams{out: &out, ctx: ctx}, on: true, in: bufio.NewReader(waiting{cancel})}
	_, err := p.pause("on?")
	require.ErrorIs(t, err, errInterrupted)
	require.Equal(t, "-- on? \n", out.String())

	p.on = false
	_, err = p.pause("on?")
	require.ErrorIs(t, err, errInterrupted)

	ctx, cancel = context.WithCancel(t.Context())
	restored := 0
	p = &pauser{streams: &streams{out: &out, ctx: ctx}, on: true, in: bufio.NewReader(waiting{cancel}),
		keys: func() func() { return func() { restored++ } }}
	_, err = p.pause("on?")
	require.ErrorIs(t, err, errInterrupted)
	require.Equal(t, 1, restored, "the terminal is as it was")
}

// waiting is a standard input at which somebody presses Ctrl-C.
type waiting struct{ cancel func() }

func (w waiting) Read([]byte) (int, error) {
	w.cancel()
	select {}
}

// TestLearnInterrupted: Ctrl-C before the first pause is told like any other.
func TestLearnInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	s := &streams{in: blocked{}, out: io.Discard, err: &stderr, ctx: ctx}
	require.Equal(t, exitInterrupted, Main([]string{"learn", "1"}, s, new(fakeEngine).engine()))
	require.Equal(t, "sim: interrupted\n", stderr.String())
}

func TestLearnCommand(t *testing.T) {
	tests := []struct {
		name, args string
		code       int
		out, err   string
	}{
		{name: "list", args: "learn", out: "\n- 2. An ordered start\n"},
		{name: "argument", args: "learn 2", out: "2. An ordered start\n"},
		{name: "flag", args: "learn --lesson 2", out: "2. An ordered start\n"},
		{name: "both", args: "learn 2 --lesson 2", out: "2. An ordered start\n"},
		{name: "both, differing", args: "learn 2 --lesson 3", code: 2, err: "name one lesson by its number"},
		{name: "a word", args: "learn partition", code: 2, err: "name one lesson by its number"},
		{name: "two", args: "learn 1 2", code: 2, err: "name at most one lesson, not 2"},
		{name: "none such", args: "learn 11", code: 2, err: "there is no lesson 11: the lessons are 1 to 10"},
		{name: "zero", args: "learn --lesson 0", code: 2, err: "there is no lesson 0: the lessons are 1 to 10"},
		{name: "scenario", args: "learn 2 --scenario", out: "name: learn/02-ordered-start\n"},
		{name: "report", args: "learn 2 --report", out: "<title>2. An ordered start"},
		{name: "again", args: "learn 2 --report", out: "<code>sim learn 2 --report</code>"},
		{name: "forget one", args: "learn 2 --forget", code: 2, err: "it forgets all lessons"},
		{name: "no report", args: "learn --report", code: 2, err: "name the lesson"},
		{name: "both", args: "learn 2 --report --scenario", code: 2, err: "exclude each other"},
		{name: "no scenario", args: "learn --scenario", code: 2, err: "name the lesson"},
		{name: "color", args: "learn 2 --color always", out: "\x1b[1m2. An ordered start\x1b[0m\n"},
		{name: "completion", args: "__complete learn ''", out: "1\n2\n3\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, out, err := call(t, new(fakeEngine).engine(), "", strings.Fields(tt.args)...)
			require.Equal(t, tt.code, code, "stdout: %s\nstderr: %s", out, err)
			require.Contains(t, out, tt.out)
			require.Contains(t, err, tt.err)
			require.NotContains(t, out, "-- ", "nothing waits where nobody looks on")
		})
	}
}

// TestLearned: what somebody has come through is kept, and marked in the list, until it is forgotten.
func TestLearned(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sim")
	list := func() string {
		var out bytes.Buffer
		s := &streams{in: strings.NewReader(""), out: &out, err: io.Discard, ctx: t.Context(), state: dir}
		require.Equal(t, 0, Main([]string{"learn"}, s, new(fakeEngine).engine()))
		return out.String()
	}
	require.Contains(t, list(), "Begin with `sim learn 1`.")
	require.NoDirExists(t, dir, "who only looks is not remembered")
	for number, how := range map[int]string{1: answeredRight, 2: answeredWrong, 4: watched} {
		require.NoError(t, readLearned(dir).keep(number, how))
	}
	require.NoError(t, readLearned(dir).keep(1, answeredWrong))
	require.Regexp(t, `- 1\. .* \(answered rightly\)\n`, list())
	require.Contains(t, list(), "2. An ordered start (answered wrongly)\n- 3. Scaling down\n")
	require.Contains(t, list(), "4. The rolling update (watched)\n")
	require.Contains(t, list(), "Continue with `sim learn 3`")

	require.NoError(t, os.WriteFile(filepath.Join(dir, "learned"), []byte("99 right\n\nx\n3 often\n2 right\n10 watched\n"), 0o600))
	require.Equal(t, map[int]string{2: answeredRight, 10: watched}, readLearned(dir).of, "lines that say nothing are passed over")

	s := &streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard, ctx: t.Context(), state: dir}
	require.Equal(t, 0, Main([]string{"learn", "--forget"}, s, new(fakeEngine).engine()))
	require.Equal(t, 0, Main([]string{"learn", "--forget"}, s, new(fakeEngine).engine()), "there is nothing to forget")
	require.Contains(t, list(), "Begin with `sim learn 1`.")

	require.NoError(t, os.RemoveAll(dir))
	require.NoError(t, os.WriteFile(dir, nil, 0o600))
	require.ErrorContains(t, readLearned(dir).keep(1, watched), "the list of finished lessons cannot be stored: ")
	require.NoError(t, readLearned("").keep(1, watched), "nothing is kept without a folder")
	require.NoError(t, readLearned("").forget())
}

// TestStateDir: as the XDG Base Directory Specification has it.
func TestStateDir(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	t.Setenv("XDG_STATE_HOME", "")
	require.Equal(t, "/home/me/.local/state/sim", filepath.ToSlash(stateDir()))
	t.Setenv("XDG_STATE_HOME", "/var/state")
	require.Equal(t, "/var/state/sim", filepath.ToSlash(stateDir()))
	t.Setenv("XDG_STATE_HOME", "relative")
	require.Equal(t, "/home/me/.local/state/sim", filepath.ToSlash(stateDir()), "a path that is not absolute is ignored")
}

// TestCoursePages: a page a lesson, and an index that links them.
func TestCoursePages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "course")
	code, out, err := call(t, new(fakeEngine).engine(), "", "learn", "--report", "all", "--dir", dir)
	require.Equal(t, 0, code, err)
	require.Equal(t, "The course begins in "+filepath.Join(dir, "index.html")+"\n", out)
	index, problem := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, problem)
	for _, l := range lessons() {
		name := path.Base(l.file) + ".html"
		require.Contains(t, string(index), `href="`+name+`"`)
		page, problem := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, problem)
		require.Contains(t, string(page), `<section id="lesson"`)
		require.Contains(t, string(page), `<div id="answer" hidden>`, "the answer waits")
		require.Contains(t, string(page), "<code>sim learn all --report --dir ")
		require.Contains(t, string(page), `<span id="line-0-1">`, "the scenario to try things with")
	}
	first, problem := os.ReadFile(filepath.Join(dir, "00-first-picture.html"))
	require.NoError(t, problem)
	require.Contains(t, string(index), `href="00-first-picture.html"`)
	for _, name := range []string{"in order", "in parallel"} {
		require.Contains(t, string(first), `"name":"`+name+`"`)
	}
}

// TestTeachersPage: the page for teachers has each lesson, its right answer, common wrong ones, and what to try next.
func TestTeachersPage(t *testing.T) {
	page := markdown(t, "docs/teaching.md")
	require.Len(t, lessons(), 10)
	for _, l := range lessons() {
		_, about, found := strings.Cut(page, "\n### "+l.title()+"\n")
		require.True(t, found, l.title())
		about, _, _ = strings.Cut(about, "\n#")
		require.Contains(t, about, "Answer: "+l.right()+".", l.title())
		require.Contains(t, about, "**Common wrong answers.**", l.title())
		require.Contains(t, about, "**Try next**", l.title())
	}
}
