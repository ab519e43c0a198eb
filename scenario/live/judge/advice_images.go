package judge

// admitted says what admission has done to the container that does not run.
func (x *shown) admitted() {
	f := x.f
	switch {
	case f.Added:
		x.add("The template has no container %s: admission adds it (a mutating webhook, for example that of a service "+
			"mesh). No change of the StatefulSet repairs it. When it is repaired there, delete %s: the new pod gets the "+
			"new container.", f.Container, x.p.Name)
	case f.Replaced != "":
		x.add("The template names the image %s. Admission has replaced it by %s (a mutating webhook, for example that of a "+
			"registry mirror), or somebody has edited the pod.", f.Replaced, f.Image)
	}
}

// image says what ends that its image cannot be pulled.
func (x *shown) image() {
	if image := x.f.NoImage(); image != nil && image.Ends != "" {
		x.add("%s", x.d.Names(x.p).In(image.Ends))
	}
}
