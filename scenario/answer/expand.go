package answer

// Expand are the arguments of `sim expand`.
type Expand struct{ Call }

// Answer prints the scenario with complete manifests.
func (o *Expand) Answer() error {
	if len(o.World.Several) > 0 {
		return usagef("sim expand plays one version: name only one")
	}
	in, err := o.From().Open(o.Files[0], o.World.Limits.FileSize)
	if err != nil {
		return err
	}
	text, err := o.Engine.Expand(in, &o.World)
	if err != nil {
		return err
	}
	_, err = o.Out.Write(text)
	return err
}
