//go:build cgo

package highs

/*
#cgo pkg-config: highs
#include "bridge.h"
*/
import "C"

import (
	"fmt"
	"reflect"
	"runtime"
	"sync/atomic"
	"unsafe"

	binding "github.com/lanl/highs"
)

// native is one HiGHS model: the binding's object, the C object behind it for what the binding lacks, and a flag in C
// memory that asks a running solve to end.
type native struct {
	raw    *binding.RawModel
	handle unsafe.Pointer
	asked  *C.int32_t
}

// newNative creates an empty model.
func newNative() (*native, error) {
	n := &native{raw: binding.NewRawModel()}
	n.handle = handleOf(n.raw)
	if n.handle == nil {
		return nil, fmt.Errorf("solver/highs: the binding gave no HiGHS object; this package needs github.com/lanl/highs v1.0.0")
	}
	n.asked = (*C.int32_t)(C.calloc(1, C.sizeof_int32_t))
	if C.watch(n.handle, n.asked) != 0 {
		n.free()
		return nil, fmt.Errorf("solver/highs: HiGHS %s refused the interrupt callback; use version 1.10 or 1.11", version())
	}
	return n, nil
}

// handleOf reads the C object out of the binding's model, which offers no other way to it.
func handleOf(raw *binding.RawModel) unsafe.Pointer {
	field := reflect.ValueOf(raw).Elem().FieldByName("obj")
	if !field.IsValid() || field.Kind() != reflect.UnsafePointer {
		return nil
	}
	return field.UnsafePointer()
}

// free releases the C memory now; the binding would leave it to the garbage
// collector, which does not know how large it is.
func (n *native) free() {
	if n.handle == nil {
		return
	}
	runtime.SetFinalizer(n.raw, nil)
	C.Highs_destroy(n.handle)
	C.free(unsafe.Pointer(n.asked))
	n.handle, n.asked, n.raw = nil, nil, nil
}

// interrupt asks a running solve to end; it may be called from any goroutine while the model is not freed.
func (n *native) interrupt() { atomic.StoreInt32((*int32)(n.asked), 1) }

// forgetThreads ends the worker threads that somebody else has left on the calling operating
// system thread, to which the goroutine must be locked.
func forgetThreads() { C.Highs_resetGlobalScheduler(0) }

// info reads one of the solver's whole numbers, which have two types; 0 where it has none.
func (n *native) info(name string) int {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	var value C.HighsInt
	if C.Highs_getIntInfoValue(n.handle, text, &value) == 0 {
		return int(value)
	}
	var long C.int64_t
	if C.Highs_getInt64InfoValue(n.handle, text, &long) == 0 {
		return int(long)
	}
	return 0
}

func version() string { return C.GoString(C.Highs_version()) }

func solverName() string { return "HiGHS " + version() }
