package report

import (
	"fmt"
	"time"
)

// age renders a duration as kubectl's AGE column does (HumanDuration of k8s.io/apimachinery): 12s, 2m5s, 15m, 3h10m,
// 9h, 2d4h, 40d. Unlike everywhere else in reports it rounds down, as kubectl does.
func age(d time.Duration) string {
	seconds, minutes, hours := int64(d/time.Second), int64(d/time.Minute), int64(d/time.Hour)
	switch {
	case seconds < 120:
		return fmt.Sprintf("%ds", seconds)
	case minutes < 10:
		return twoUnits(minutes, "m", seconds%60, "s")
	case minutes < 180:
		return fmt.Sprintf("%dm", minutes)
	case hours < 8:
		return twoUnits(hours, "h", minutes%60, "m")
	case hours < 48:
		return fmt.Sprintf("%dh", hours)
	case hours < 8*24:
		return twoUnits(hours/24, "d", hours%24, "h")
	case hours < 2*365*24:
		return fmt.Sprintf("%dd", hours/24)
	case hours < 8*365*24:
		return twoUnits(hours/24/365, "y", hours/24%365, "d")
	}
	return fmt.Sprintf("%dy", hours/24/365)
}

// twoUnits writes two units, the smaller one only if it is not 0.
func twoUnits(big int64, bigUnit string, small int64, smallUnit string) string {
	if small == 0 {
		return fmt.Sprintf("%d%s", big, bigUnit)
	}
	return fmt.Sprintf("%d%s%d%s", big, bigUnit, small, smallUnit)
}
