package main

import (
	"go/ast"
	"slices"
)

// left are packages that nothing below scenario/kube needs: a log that nobody reads, and objects without a type.
var left = []string{"klog", "unstructured"}

// prune drops the statements that only call or ask for something of these packages.
func prune(of ast.Node) {
	ast.Inspect(of, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			n.List = slices.DeleteFunc(n.List, isLeft)
		case *ast.CaseClause:
			n.Body = slices.DeleteFunc(n.Body, isLeft)
		}
		return true
	})
}

func isLeft(of ast.Stmt) bool {
	switch of := of.(type) {
	case *ast.ExprStmt:
		return mentions(of)
	case *ast.IfStmt:
		return of.Init != nil && mentions(of.Init) && of.Else == nil
	}
	return false
}

func mentions(of ast.Node) bool {
	found := false
	ast.Inspect(of, func(n ast.Node) bool {
		if of, is := n.(*ast.SelectorExpr); is {
			id, is := of.X.(*ast.Ident)
			found = found || is && slices.Contains(left, id.Name)
		}
		return true
	})
	return found
}

// instead is what stands in place of a declaration that would need much for little. needs are its imports.
var (
	instead = map[string]string{
		"k8s.io/apimachinery/pkg/runtime.RawExtension": "type RawExtension struct {\n\tRaw []byte `json:\"-\"`\n}",
		"k8s.io/apimachinery/pkg/runtime.RawExtension.MarshalJSON": `func (re RawExtension) MarshalJSON() ([]byte, error) {
	if re.Raw == nil {
		return []byte("null"), nil
	}
	return re.Raw, nil
}`,
		"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1.MarshalJSON": `func (f FieldsV1) MarshalJSON() ([]byte, error) {
	if len(f.Raw) == 0 {
		return []byte("null"), nil
	}
	return f.Raw, nil
}`,
		// sigs.k8s.io/json is a second encoding/json, for structs; only maps are read here.
		"k8s.io/apimachinery/pkg/util/json.Unmarshal": `func Unmarshal(data []byte, v interface{}) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		return err
	}
	return ConvertMapNumbers(*v.(*map[string]interface{}), 0)
}`,
		"k8s.io/apimachinery/pkg/util/mergepatch.toYAML": `func toYAML(v interface{}) (string, error) {
	y, err := json.Marshal(v)
	return string(y), err
}`,
	}
	needs = map[string]string{
		"k8s.io/apimachinery/pkg/util/json.Unmarshal":    "bytes encoding/json",
		"k8s.io/apimachinery/pkg/util/mergepatch.toYAML": "encoding/json",
	}
)
