package builtin

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// bounds are the smallest and the largest number of a field of a schedule, and the names that stand for numbers.
type bounds struct {
	least, most int
	names       map[string]int
}

// scheduleFields are the five fields of a schedule.
var scheduleFields = []bounds{
	{0, 59, nil}, {0, 23, nil}, {1, 31, nil},
	{1, 12, map[string]int{"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9,
		"oct": 10, "nov": 11, "dec": 12}},
	{0, 6, map[string]int{"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6}},
}

// scheduleError is the error of a schedule of a CronJob, in the words of the parser of a real cluster.
func scheduleError(text string) error {
	if strings.HasPrefix(text, "TZ=") || strings.HasPrefix(text, "CRON_TZ=") {
		_, text, _ = strings.Cut(text, " ")
		text = strings.TrimSpace(text)
	}
	if strings.HasPrefix(text, "@") {
		return descriptorError(text)
	}
	fields := strings.Fields(text)
	if len(fields) != len(scheduleFields) {
		return fmt.Errorf("expected exactly 5 fields, found %d: %v", len(fields), fields)
	}
	for i, field := range fields {
		for part := range strings.SplitSeq(field, ",") {
			if err := scheduleFields[i].check(part); err != nil {
				return err
			}
		}
	}
	return nil
}

func descriptorError(text string) error {
	switch text {
	case "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly":
		return nil
	}
	every, is := strings.CutPrefix(text, "@every ")
	if !is {
		return fmt.Errorf("unrecognized descriptor: %s", text)
	}
	if _, err := time.ParseDuration(every); err != nil {
		return fmt.Errorf("failed to parse duration %s: %w", text, err)
	}
	return nil
}

// check is the error of one range of a field: "*", "1-5", "*/2", "mon".
func (b *bounds) check(part string) error {
	span, step, stepped := strings.Cut(part, "/")
	if strings.Contains(step, "/") {
		return fmt.Errorf("too many slashes: %s", part)
	}
	low, high, ranged := strings.Cut(span, "-")
	if strings.Contains(high, "-") {
		return fmt.Errorf("too many hyphens: %s", part)
	}
	from, to := b.least, b.most
	if low != "*" && low != "?" {
		var err error
		if from, err = b.number(low); err != nil {
			return err
		}
		if to = from; ranged {
			if to, err = b.number(high); err != nil {
				return err
			}
		} else if stepped {
			to = b.most
		}
	}
	every := 1
	if stepped {
		var err error
		if every, err = digits(step); err != nil {
			return err
		}
	}
	switch {
	case from < b.least:
		return fmt.Errorf("beginning of range (%d) below minimum (%d): %s", from, b.least, part)
	case to > b.most:
		return fmt.Errorf("end of range (%d) above maximum (%d): %s", to, b.most, part)
	case from > to:
		return fmt.Errorf("beginning of range (%d) beyond end of range (%d): %s", from, to, part)
	case every == 0:
		return fmt.Errorf("step of range should be a positive number: %s", part)
	}
	return nil
}

func (b *bounds) number(text string) (int, error) {
	if n, named := b.names[strings.ToLower(text)]; named {
		return n, nil
	}
	return digits(text)
}

func digits(text string) (int, error) {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("failed to parse int from %s: %w", text, err)
	case n < 0:
		return 0, fmt.Errorf("negative number (%d) not allowed: %s", n, text)
	}
	return n, nil
}
