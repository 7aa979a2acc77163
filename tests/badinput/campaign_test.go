package badinput

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sparsero/directions/solver/proof"
	"github.com/sparsero/directions/sparsero/calibration"
)

// What a call may take: contexts of the campaign end after contextLimit, so that a call that
// obeys them is back long before callLimit, on a busy machine as well.
const (
	contextLimit = 200 * time.Millisecond
	callLimit    = 60 * time.Second
	memoryLimit  = 1 << 30 // bytes allocated
)

// rounds is how often all functions are called: what the first round returns are arguments
// of the next. Each function gets callsPerRound calls in a round, beyond one for each bad value.
const (
	rounds        = 2
	callsPerRound = 25
)

// nilContexts is the number of calls of which one has a nil context.
const nilContexts = 4

// costly are the functions that generate features or train classifiers of the paper's size
// by default; they are called less often.
var costly = map[string]bool{
	"datasets/features.StandIn": true, "notebooks/studies/adversarial.Generated.Draw": true, "notebooks/studies/adversarial.Task.Mine": true,
	"datasets/features.Set.Frame": true, "datasets/features.Set.Split": true,
}

// summary opens the last line of a campaign that came to its end.
const summary = "campaign: "

// mostCrashes is how many calls may end the process before the campaign gives up.
const mostCrashes = 10

// Where the parent tells the process that calls what to leave out, and where that process
// tells which call it is about to make.
const skipVariable, logVariable = "CAMPAIGN_SKIP", "CAMPAIGN_LOG"

// TestEveryExportedFunction calls every exported function and method of every importable
// package with nil, zero, NaN, infinite, empty, huge and mismatched arguments, nil contexts among them. The outcome is
// an error or a value, or a panic with a sentence where the comment says so: no nil
// dereference, no index error, no call without end, no memory beyond what was asked for.
func TestEveryExportedFunction(t *testing.T) {
	if len(functions) > 0 {
		campaign(t)
		return
	}
	var crashed []string
	log := filepath.Join(t.TempDir(), "call")
	program := buildWithRegistry(t)
	for range mostCrashes {
		output, err := runTest(program, t.Name(), skipVariable+"="+strings.Join(crashed, ","), logVariable+"="+log)
		if at := strings.Index(output, summary); at >= 0 {
			end, _, _ := strings.Cut(output[at:], "\n")
			if t.Log(end); err != nil {
				t.Error(output)
			}
			break
		}
		call, _ := os.ReadFile(log)
		name, _, _ := strings.Cut(string(call), " ")
		t.Errorf("the process ended in %s\n%s", call, firstPanic(output))
		crashed = append(crashed, name)
	}
}

// firstPanic cuts the part of a crash that says what happened.
func firstPanic(output string) string {
	if at := regexp.MustCompile(`(?m)^(panic:|fatal error:|runtime:|SIG)`).FindStringIndex(output); at != nil {
		output = output[at[0]:]
	}
	return output[:min(len(output), 1500)]
}

// refusal keeps the campaign off the network.
type refusal struct{}

func (refusal) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, http.ErrServerClosed
}

// caller makes the calls and counts what came of them.
type caller struct {
	values   *values
	random   *rand.Rand
	log      *os.File
	stderr   *os.File
	failures map[string]string // the first of each function
	calls    int
}

func campaign(t *testing.T) {
	limitMemory(t)
	t.Chdir(t.TempDir())
	http.DefaultTransport = refusal{}
	stdout := os.Stdout
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stdout, os.Stderr = null, null // progress and tables
	defer func() { os.Stdout, os.Stderr = stdout, stderr }()
	log, err := os.OpenFile(cmp.Or(os.Getenv(logVariable), os.DevNull), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	c := &caller{values: newValues(), random: rand.New(rand.NewPCG(1, 2)), log: log, stderr: stderr, failures: map[string]string{}}
	methods := allMethods()
	for range rounds {
		for _, name := range sortedKeys(functions) {
			c.vary(name, functions[name], false)
		}
		for _, m := range methods {
			c.vary(m.name, m.function, true)
		}
	}
	c.marshal()
	for _, name := range sortedKeys(c.failures) {
		t.Errorf("%s: %s", name, c.failures[name])
	}
	fmt.Fprintf(stdout, summary+"%d functions and %d methods of %d types, %d calls, %d failures\n",
		len(functions), len(methods), len(types), c.calls, len(c.failures))
}

// method is a method as a function of its receiver.
type method struct {
	name     string
	function reflect.Value
}

// allMethods lists the methods of the types and of pointers to them.
func allMethods() []method {
	var methods []method
	for _, name := range sortedKeys(types) {
		if types[name].Kind() == reflect.Interface {
			continue
		}
		pointer := reflect.PointerTo(types[name])
		for k := range pointer.NumMethod() {
			m := pointer.Method(k)
			methods = append(methods, method{name: name + "." + m.Name, function: m.Func})
			if panicking[embedded(name, m.Name)] {
				panicking[name+"."+m.Name] = true
			}
		}
	}
	return methods
}

// embedded names a method that a struct has from an embedded type of its package.
func embedded(name, method string) string {
	if t := types[name]; t.Kind() == reflect.Struct {
		for k := range t.NumField() {
			if field := t.Field(k); field.Anonymous {
				if _, has := reflect.PointerTo(field.Type).MethodByName(method); has {
					return strings.TrimSuffix(name, t.Name()) + field.Name + "." + method
				}
			}
		}
	}
	return ""
}

// vary calls a function: each bad value of each argument among values of others, then at
// random. A method is not called by a nil pointer, which Go itself reports with the line.
func (c *caller) vary(name string, function reflect.Value, isMethod bool) {
	if _, failed := c.failures[name]; failed || slices.Contains(strings.Split(os.Getenv(skipVariable), ","), name) {
		return
	}
	kind := function.Type()
	choices := make([][]reflect.Value, kind.NumIn())
	longest := 0
	for k := range choices {
		if kind.In(k) != reflect.TypeFor[context.Context]() {
			choices[k] = c.values.of(kind.In(k), 0)
			if k == 0 && isMethod {
				choices[k] = slices.DeleteFunc(choices[k], reflect.Value.IsNil)
			}
			longest = max(longest, len(choices[k]))
		}
	}
	calls := min(longest, 3*callsPerRound) + callsPerRound
	if costly[name] {
		calls = 8
	}
	for n := range calls {
		arguments := make([]reflect.Value, len(choices))
		for k, values := range choices {
			switch {
			case values == nil:
				if n%nilContexts == nilContexts-1 {
					arguments[k] = reflect.Zero(kind.In(k))
					continue
				}
				ctx, cancel := context.WithTimeout(context.Background(), contextLimit)
				defer cancel()
				arguments[k] = reflect.ValueOf(ctx)
			case n < longest:
				arguments[k] = values[(n+k*c.random.IntN(2))%len(values)]
			default:
				arguments[k] = values[c.random.IntN(min(len(values), 2*mostSamples+4))]
			}
		}
		if failure := c.call(name, function, arguments); failure != "" {
			c.failures[name] = failure
			return
		}
		if len(choices) == 0 {
			return
		}
	}
}

// call makes one call and says what was wrong, "" if nothing was.
func (c *caller) call(name string, function reflect.Value, arguments []reflect.Value) string {
	c.calls++
	description := describe(name, arguments)
	_ = c.log.Truncate(0)
	_, _ = c.log.WriteAt([]byte(description), 0)
	before := allocated()
	outcome := make(chan string, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				outcome <- judge(name, r)
			}
		}()
		var results []reflect.Value
		if function.Type().IsVariadic() {
			results = function.CallSlice(arguments)
		} else {
			results = function.Call(arguments)
		}
		c.harvest(results)
		outcome <- ""
	}()
	failure := ""
	select {
	case failure = <-outcome:
	case <-time.After(callLimit):
		c.abandon(description)
	}
	if taken := allocated() - before; failure == "" && taken > memoryLimit {
		failure = fmt.Sprintf("takes %d MB", taken>>20)
	}
	if failure != "" {
		failure += " in " + description
	}
	return failure
}

// abandon ends the process, because a call that goes on would disturb those to come.
func (c *caller) abandon(description string) {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var lines []string
	for line := range strings.Lines(string(stacks)) {
		if strings.HasPrefix(line, "github.com/sparsero/directions/") && !strings.Contains(line, "badinput") && len(lines) < 8 {
			lines = append(lines, line)
		}
	}
	fmt.Fprintf(c.stderr, "runtime: %s does not return\n%s", description, strings.Join(lines, ""))
	os.Exit(2)
}

// judge says what is wrong with a panic: that of the runtime, or one that no comment announces.
func judge(name string, value any) string {
	if err, ok := value.(runtime.Error); ok {
		if strings.Contains(err.Error(), "called using nil") {
			return "" // by way of an interface that holds a nil pointer: the language says so
		}
		if panicking[name] && strings.Contains(err.Error(), "nil pointer") {
			return ""
		}
		return err.Error() + stack()
	}
	if text := fmt.Sprint(value); !panicking[name] {
		return "undocumented panic: " + text[:min(len(text), 200)] + stack()
	}
	return ""
}

// stack names the innermost function of the module.
func stack() string {
	callers := make([]uintptr, 50)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for {
		frame, more := frames.Next()
		if strings.Contains(frame.Function, "sparsero/directions/") && !strings.Contains(frame.Function, "badinput") {
			return fmt.Sprintf(" (%s:%d)", filepath.Base(frame.File), frame.Line)
		}
		if !more {
			return ""
		}
	}
}

// harvest keeps results of the types of the module that come without an error.
func (c *caller) harvest(results []reflect.Value) {
	for _, result := range results {
		if result.Type() == reflect.TypeFor[error]() && !result.IsNil() {
			return
		}
	}
	for _, result := range results {
		if result.Kind() == reflect.Interface && !result.IsNil() {
			result = result.Elem()
		}
		base := result.Type()
		for base.Kind() == reflect.Pointer || base.Kind() == reflect.Slice {
			base = base.Elem()
		}
		if strings.HasPrefix(base.PkgPath(), "github.com/sparsero/directions/") && !result.IsZero() {
			c.values.keep(result)
		}
	}
}

// marshal checks that what has a form in JSON, exported fields alone or a method of its own, comes back equal or is an error there.
// Parts of a design file come back in whole files alone, and bounds and families not at all, as reading proves nothing.
func (c *caller) marshal() {
	for _, name := range sortedKeys(types) {
		if hidden(types[name]) && !hasMethod(types[name], "MarshalJSON") && !hasMethod(types[name], "MarshalText") || strings.HasPrefix(name, "sparsero/designfile.") || holdsBound(types[name], map[reflect.Type]bool{}) {
			continue
		}
		for _, t := range []reflect.Type{types[name], reflect.PointerTo(types[name])} {
			for _, sample := range c.values.samples[t] {
				if text, err := json.Marshal(sample.Interface()); err == nil && string(text) != "null" {
					c.comesBack(name, sample, text)
				}
			}
		}
	}
}

// comesBack checks that JSON is read into a value that writes the same JSON and has equal exported parts.
func (c *caller) comesBack(name string, sample reflect.Value, text []byte) {
	back := reflect.New(sample.Type())
	if err := json.Unmarshal(text, back.Interface()); err != nil {
		c.failures[name+" from JSON"] = fmt.Sprintf("%v: %.200s", err, text)
		return
	}
	again, err := json.Marshal(back.Elem().Interface())
	if err != nil || !bytes.Equal(text, again) {
		c.failures[name+" from JSON"] = fmt.Sprintf("%.200s became %.200s (%v)", text, again, err)
	}
}

// holdsBound tells whether a type is a bound of the proof layer or the family of a promise, or holds one.
func holdsBound(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return holdsBound(t.Elem(), seen)
	case reflect.Struct:
		if t == reflect.TypeFor[proof.Upper]() || t == reflect.TypeFor[proof.Lower]() || t == reflect.TypeFor[calibration.Family]() {
			return true
		}
		for k := range t.NumField() {
			if field := t.Field(k); field.IsExported() && holdsBound(field.Type, seen) {
				return true
			}
		}
	}
	return false
}

// hidden tells whether JSON would leave out a field, or could not read it back because it may hold values of any type.
func hidden(t reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for k := range t.NumField() {
		if field := t.Field(k); !field.IsExported() && !field.Anonymous || field.Type.Kind() == reflect.Interface {
			return true
		}
	}
	return false
}

func hasMethod(t reflect.Type, name string) bool {
	_, found := reflect.PointerTo(t).MethodByName(name)
	return found
}

// describe writes a call briefly.
func describe(name string, arguments []reflect.Value) string {
	parts := make([]string, len(arguments))
	for k, argument := range arguments {
		var text string
		switch argument.Kind() {
		case reflect.Interface, reflect.Pointer, reflect.Func, reflect.Chan, reflect.Map:
			text = argument.Type().String()
			if argument.IsNil() {
				text += "(nil)"
			} else if argument.Kind() == reflect.Pointer && argument.Elem().IsZero() {
				text += "(zero)"
			}
		case reflect.Struct:
			text = argument.Type().String()
			for f := range argument.NumField() {
				if field := argument.Field(f); !field.IsZero() {
					text += fmt.Sprintf(" %s=%v", argument.Type().Field(f).Name, field)
				}
			}
		default:
			text = fmt.Sprint(argument)
		}
		parts[k] = text[:min(len(text), 200)]
	}
	return name + " (" + strings.Join(parts, "; ") + ")"
}

// allocated returns the bytes that the process has taken from the heap so far.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
