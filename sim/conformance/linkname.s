// This file lets a function without a body be linked in from another package: see real_sync_test.go.
