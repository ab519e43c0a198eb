package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// suite is the tests of one package, compiled with all switches. Its runs share the page, so they are one after the
// other.
type suite struct {
	pkg, dir, binary string
	page             string
	rapid            bool // its binary knows the flags of rapid
	// tests are the tests that pass without a mutant, are quick enough, and reach a site of this run.
	tests []*test
}

// test is a top-level test of a suite, as it ran without a mutant.
type test struct {
	name    string
	took    time.Duration // CPU time
	reached []byte        // the page after the run
}

// compile builds the test binary of a package with the overlay. That it does not compile is a defect of this tool: a
// site was planted where it cannot be.
func compile(root, overlay, dir, pkg, rel string) (*suite, error) {
	s := &suite{pkg: rel, dir: filepath.Join(root, rel), page: filepath.Join(dir, "page"),
		binary: filepath.Join(dir, strings.ReplaceAll(rel, "/", "_")+".test")}
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", s.binary, pkg)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s does not compile with its mutants: %w\n%s", rel, err, out)
	}
	help, _ := exec.Command(s.binary, "-help").CombinedOutput()
	s.rapid = bytes.Contains(help, []byte("-rapid.nofailfile"))
	return s, nil
}

// record runs each test by itself, and notes which switches it reaches. Tests that fail without a mutant, or that are
// slower than the limit, are returned; those that skip names are left out in silence, and so are tests that reach no
// site.
func (s *suite) record(slow time.Duration, skip *regexp.Regexp) (out []string) {
	list := exec.Command(s.binary, "-test.list", ".")
	list.Dir = s.dir
	names, err := list.Output()
	if err != nil {
		return []string{s.pkg + ": " + err.Error()}
	}
	for _, name := range strings.Fields(string(names)) {
		if strings.HasPrefix(name, "Benchmark") || skip.MatchString(s.pkg+"."+name) {
			continue
		}
		run := s.run(0, slow, []string{name})
		if run.failed {
			out = append(out, fmt.Sprintf("%s.%s (after %s)", s.pkg, name, run.cpu.Round(time.Millisecond)))
			continue
		}
		page, err := os.ReadFile(s.page)
		if err == nil && bytes.Count(page[first:], []byte{1}) > 0 {
			s.tests = append(s.tests, &test{name: name, took: run.cpu, reached: page})
		}
	}
	return out
}

// result is that of a run of tests.
type result struct {
	failed bool
	by     string // the first test that failed, or how it ended otherwise
	cpu    time.Duration
}

// failed matches the line in which go test names a test that failed.
var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// run runs tests with one mutant on; 0 is none. The limit is one of CPU time, and memory is limited to 6 GB, since a
// mutant may run for ever; a mutant that exceeds either counts as noticed. Failures of rapid leave no files behind.
func (s *suite) run(id int, limit time.Duration, tests []string) result {
	size, _ := os.Stat(s.page)
	page := make([]byte, size.Size())
	binary.LittleEndian.PutUint32(page, uint32(id))
	if err := os.WriteFile(s.page, page, 0o644); err != nil {
		panic(err)
	}
	args := []string{"-test.failfast", "-test.run", "^(" + strings.Join(tests, "|") + ")$"}
	if s.rapid {
		args = append(args, "-rapid.nofailfile")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*limit+time.Minute)
	defer cancel()
	script := fmt.Sprintf("ulimit -t %d; ulimit -v 6000000; exec \"$0\" \"$@\"", int(limit.Seconds())+1)
	cmd := exec.CommandContext(ctx, "sh", append([]string{"-c", script, s.binary}, args...)...)
	cmd.Dir, cmd.WaitDelay = s.dir, time.Second
	out, err := cmd.CombinedOutput()
	r := result{failed: err != nil}
	if cmd.ProcessState != nil {
		r.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	if m := failed.FindSubmatch(out); m != nil {
		r.by = s.pkg + "." + string(m[1])
	} else if err != nil {
		r.by = s.pkg + " " + err.Error()
	}
	return r
}

// judges returns which test notices a mutant, or only reaches it if that is all that is asked, "" if none does, and
// whether any reaches it.
func (s *suite) judges(id int, reach bool) (by string, reached bool) {
	if !reach {
		return s.catches(id)
	}
	for _, t := range s.tests {
		if t.reached[id] != 0 {
			return s.pkg + "." + t.name, true
		}
	}
	return "", false
}

// catches runs the tests that reach the mutant, the quickest first, in batches of which each takes some times as long
// as the one before; it returns which test fails, and whether any reaches the mutant at all. Most mutants are noticed
// by the first batch, and a mutant that survives costs one run of all tests that reach it.
func (s *suite) catches(id int) (by string, reached bool) {
	var left []*test
	for _, t := range s.tests {
		if t.reached[id] != 0 {
			left = append(left, t)
		}
	}
	reached = len(left) > 0
	slices.SortStableFunc(left, func(a, b *test) int { return cmp.Compare(a.took, b.took) })
	for most := 100 * time.Millisecond; len(left) > 0; most *= 4 {
		var names []string
		var sum time.Duration
		for len(left) > 0 && (len(names) == 0 || sum+left[0].took <= most) {
			names, sum, left = append(names, left[0].name), sum+left[0].took, left[1:]
		}
		if r := s.run(id, 4*sum+5*time.Second, names); r.failed {
			return r.by, true
		}
	}
	return "", reached
}
