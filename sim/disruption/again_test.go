package disruption_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/scenario/worldtest"
)

// TestGoesOn stops the worlds of the library that are about budgets and drains, and begins them again.
func TestGoesOn(t *testing.T) {
	worldtest.GoesOn(t, "drain/*")
}

// TestTellsApart changes one field at a time of what is remembered of them: it is another world for a fingerprint.
func TestTellsApart(t *testing.T) {
	worldtest.TellsApart(t, "disruption", worldtest.Follows{
		"budgets[].healthy":        "counts pods of the store",
		"budgets[].pods":           "counts pods of the store",
		"budgets[].told.Namespace": "is the budget's",
		"budgets[].told.Name":      "is the budget's",
	}, "drain/*")
}

// TestGoesOnFromObjects begins with budgets and pods, as a dump of a cluster shows them.
func TestGoesOnFromObjects(t *testing.T) {
	worldtest.GoesOnFromObjects(t, "drain/[abegmo]*")
}
