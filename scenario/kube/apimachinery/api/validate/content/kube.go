// Code generated from k8s.io/apimachinery/pkg/api/validate/content of k8s.io/apimachinery v0.37.2; DO NOT EDIT.

/*
Copyright 2025 The Kubernetes Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

/*
Copyright 2014 The Kubernetes Authors.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

    http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
See the License for the specific language governing permissions and
limitations under the License.
*/

// Package content is the part of k8s.io/apimachinery/pkg/api/validate/content that sim uses.
package content

import (
	"fmt"
	"github.com/statefulsim/statefulsim/sim/lazy"
	"strings"
)

const dns1123LabelFmt string = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"

const dns1123SubdomainFmt string = dns1123LabelFmt + "(\\." + dns1123LabelFmt + ")*"

const dns1123SubdomainFmtCaseless string = "(?i)" + dns1123SubdomainFmt

const dns1123SubdomainErrorMsg string = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"

const dns1123SubdomainCaselessErrorMsg string = "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"

const DNS1123SubdomainMaxLength int = 253

var dns1123SubdomainRegexp = lazy.Regexp("^" + dns1123SubdomainFmt + "$")

var dns1123SubdomainCaselessRegexp = lazy.Regexp("^" + dns1123SubdomainFmtCaseless + "$")

func IsDNS1123Subdomain(value string) []string {
	return isDNS1123Subdomain(value, false)
}

func isDNS1123Subdomain(value string, caseless bool) []string {
	var errs []string
	if len(value) > DNS1123SubdomainMaxLength {
		errs = append(errs, MaxLenError(DNS1123SubdomainMaxLength))
	}
	errorMsg := dns1123SubdomainErrorMsg
	example := "example.com"
	regexp := dns1123SubdomainRegexp()
	if caseless {
		errorMsg = dns1123SubdomainCaselessErrorMsg
		example = "Example.com"
		regexp = dns1123SubdomainCaselessRegexp()
	}
	if !regexp.MatchString(value) {
		errs = append(errs, RegexError(errorMsg, dns1123SubdomainFmt, example))
	}
	return errs
}

func MaxLenError(length int) string {
	return fmt.Sprintf("must be no more than %d bytes", length)
}

func EmptyError() string {
	return "must be non-empty"
}

func RegexError(msg string, re string, examples ...string) string {
	if len(examples) == 0 {
		return msg + " (regex used for validation is '" + re + "')"
	}
	msg += " (e.g. "
	for i := range examples {
		if i > 0 {
			msg += " or "
		}
		msg += "'" + examples[i] + "', "
	}
	msg += "regex used for validation is '" + re + "')"
	return msg
}

const labelKeyCharFmt string = "[A-Za-z0-9]"

const labelKeyExtCharFmt string = "[-A-Za-z0-9_.]"

const labelKeyFmt string = "(" + labelKeyCharFmt + labelKeyExtCharFmt + "*)?" + labelKeyCharFmt

const labelKeyErrMsg string = "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"

const labelKeyMaxLength int = 63

var labelKeyRegexp = lazy.Regexp("^" + labelKeyFmt + "$")

func IsLabelKey(value string) []string {
	var errs []string
	parts := strings.Split(value, "/")
	var name string
	switch len(parts) {
	case 1:
		name = parts[0]
	case 2:
		var prefix string
		prefix, name = parts[0], parts[1]
		if len(prefix) == 0 {
			errs = append(errs, "prefix part "+EmptyError())
		} else if msgs := IsDNS1123Subdomain(prefix); len(msgs) != 0 {
			errs = append(errs, prefixEach(msgs, "prefix part ")...)
		}
	default:
		return append(errs, "a valid label key "+RegexError(labelKeyErrMsg, labelKeyFmt, "MyName", "my.name", "123-abc")+
			" with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')")
	}
	if len(name) == 0 {
		errs = append(errs, "name part "+EmptyError())
	} else if len(name) > labelKeyMaxLength {
		errs = append(errs, "name part "+MaxLenError(labelKeyMaxLength))
	}
	if !labelKeyRegexp().MatchString(name) {
		errs = append(errs, "name part "+RegexError(labelKeyErrMsg, labelKeyFmt, "MyName", "my.name", "123-abc"))
	}
	return errs
}

const labelValueFmt string = "(" + labelKeyFmt + ")?"

const labelValueErrMsg string = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"

const LabelValueMaxLength int = 63

var labelValueRegexp = lazy.Regexp("^" + labelValueFmt + "$")

func IsLabelValue(value string) []string {
	var errs []string
	if len(value) > LabelValueMaxLength {
		errs = append(errs, MaxLenError(LabelValueMaxLength))
	}
	if !labelValueRegexp().MatchString(value) {
		errs = append(errs, RegexError(labelValueErrMsg, labelValueFmt, "MyValue", "my_value", "12345"))
	}
	return errs
}

func prefixEach(msgs []string, prefix string) []string {
	for i := range msgs {
		msgs[i] = prefix + msgs[i]
	}
	return msgs
}
