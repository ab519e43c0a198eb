package kinds

import (
	"slices"
	"strings"
)

// Catalog is the kinds that clients have defined in a session; Served has the others. It is never changed: a new
// definition makes a new catalog.
type Catalog []*Kind

// All returns all kinds, group by group.
func (c Catalog) All() []*Kind {
	all := make([]*Kind, 0, len(Served)+len(c))
	for i := range Served {
		all = append(all, &Served[i])
	}
	return append(all, c...)
}

// first returns the first kind that satisfies a condition, or nil.
func (c Catalog) first(is func(*Kind) bool) *Kind {
	for i := range Served {
		if is(&Served[i]) {
			return &Served[i]
		}
	}
	if i := slices.IndexFunc(c, is); i >= 0 {
		return c[i]
	}
	return nil
}

// Find returns the kind of a resource, nil if it is not served.
func (c Catalog) Find(group, version, resource string) *Kind {
	return c.first(func(k *Kind) bool { return k.Resource == resource && k.Group == group && k.Version == version })
}

// Of returns the kind that an object names, nil if it is not served.
func (c Catalog) Of(apiVersion, kind string) *Kind {
	return c.first(func(k *Kind) bool { return k.Kind == kind && k.APIVersion() == apiVersion })
}

// Named returns the kind that a word of kubectl means, such as pod, pods, po or StatefulSet; nil if there is none.
func (c Catalog) Named(word string) *Kind {
	word, _, _ = strings.Cut(strings.ToLower(word), ".")
	return c.first(func(k *Kind) bool {
		return word == k.Resource || word == k.Singular || slices.Contains(k.Short, word)
	})
}

// GroupVersion is a version of a group.
type GroupVersion struct{ Group, Version string }

// Versions returns the served versions of all groups, starting with the group "".
func (c Catalog) Versions() []GroupVersion {
	var list []GroupVersion
	for _, k := range c.All() {
		if gv := (GroupVersion{k.Group, k.Version}); !slices.Contains(list, gv) {
			list = append(list, gv)
		}
	}
	return list
}

// Root returns the path of a version of a group.
func (gv GroupVersion) Root() string {
	if gv.Group == "" {
		return "/api/" + gv.Version
	}
	return "/apis/" + gv.Group + "/" + gv.Version
}

// In returns the kinds of a version of a group.
func (c Catalog) In(gv GroupVersion) []*Kind {
	return slices.DeleteFunc(c.All(), func(k *Kind) bool { return k.Group != gv.Group || k.Version != gv.Version })
}
