// Package exercise tells a reader of the notebooks whether an answer is right, without showing the answer.
//
// A notebook holds a function that the reader completes and, in the next cell, a test that GoNB runs with %test:
//
//	func coverageOfFive() float64 { return exercise.Open } // your answer
//
//	%test
//	func TestExercise1(t *testing.T) { exercise.Number(t, coverageOfFive(), "3:c1f0a2d4:5b0a5f0c41d2") }
//
// An exercise left open is skipped, so that an untouched notebook runs through. The last argument is a key, which
// [NumberKey] prints for authors: the number of decimals that count, a salt of its own, so that equal answers have
// different keys, and a slow hash of the answer rounded to the decimals. A key keeps the answer from the reader's eyes.
// It does not keep it from a reader who is out to find it: a hash takes about a twentieth of a second, so that the
// answers of an exercise with three digits are tried in a minute, those with six in half a day.
//
// The notebooks of a class (make class) hold keys without secret, "3:" and "": such a test says that an answer is handed in.
// With the environment variable DIRECTIONS_GRADING, an open exercise and a key without secret fail instead.
//
// Where a right answer can be recognised by its properties (a set that covers enough, a counterexample), a test says so
// in plain Go and needs no key; [Answered] skips it while the exercise is open.
package exercise

import (
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// Open is the number that stands for an exercise not answered yet.
var Open = math.NaN()

const (
	// keyBytes is how much of the hash a key holds: too much to be met by chance.
	keyBytes = 6
	// saltBytes is the length of the salt of a key.
	saltBytes = 4
	// hashRounds makes a hash slow: a reader waits for up to three of them, a search for one for every candidate.
	hashRounds = 200_000
)

// mostDecimals bounds the decimals of a key; beyond them float64 has no digits left for numbers about 1.
const mostDecimals = 12

// Answered skips the test while the exercise is open, or ends it as failed where DIRECTIONS_GRADING is set. An answer
// is open when it is NaN, a blank text, an empty slice, or nil.
func Answered(t testing.TB, answer any) {
	t.Helper()
	if !open(reflect.ValueOf(answer)) {
		return
	}
	if grading() {
		t.Fatal("not answered")
	}
	withholdVerdict()
	t.Skip("not answered yet: complete the function above, run its cell, and then this one")
}

// withholdVerdict keeps the word PASS, which a test binary prints at its end, from standing below an open exercise. What
// is said about each test still appears. Under go test, which reads that word, nothing changes.
func withholdVerdict() {
	if run := flag.Lookup("test.paniconexit0"); run != nil && run.Value.String() == "true" {
		return
	}
	if nowhere, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stdout = nowhere
	}
}

func grading() bool { return os.Getenv("DIRECTIONS_GRADING") != "" }

func open(answer reflect.Value) bool {
	switch answer.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Float64:
		return math.IsNaN(answer.Float())
	case reflect.String:
		return strings.TrimSpace(answer.String()) == ""
	case reflect.Slice:
		return answer.Len() == 0
	case reflect.Pointer, reflect.Func, reflect.Map:
		return answer.IsNil()
	}
	return false
}

// Number checks a number against a key of [NumberKey]: right when it agrees in the decimals that count, one unit of the
// last of them off allowed.
func Number(t testing.TB, answer float64, key string) {
	t.Helper()
	Answered(t, answer)
	if decimals, withheld := strings.CutSuffix(key, ":"); withheld && !grading() {
		t.Logf("handed in: %v (%s decimals count)", answer, decimals)
		return
	}
	decimals, secret, err := parseKey(key)
	if err != nil {
		t.Fatal(err)
	}
	unit := math.Pow10(-decimals)
	for _, candidate := range []float64{answer, answer - unit, answer + unit} {
		if opens(secret, rounded(candidate, decimals)) {
			t.Logf("right: %v", rounded(answer, decimals))
			return
		}
	}
	t.Errorf("%v is not the answer (%d decimals count)", answer, decimals)
}

// Numbers checks a list of numbers, each against its key of [NumberKey], in the order of the question.
func Numbers(t testing.TB, answers []float64, keys ...string) {
	t.Helper()
	Answered(t, answers)
	if len(answers) != len(keys) {
		t.Errorf("%d numbers, the question asks for %d", len(answers), len(keys))
		return
	}
	for k, key := range keys {
		Number(t, answers[k], key)
	}
}

// Text checks a word or a list of them against a key of [TextKey]; case and surrounding blanks do not count.
func Text(t testing.TB, answer, key string) {
	t.Helper()
	Answered(t, answer)
	if key == "" && !grading() {
		t.Logf("handed in: %s", strings.TrimSpace(answer))
		return
	}
	if !opens(key, normal(answer)) {
		t.Errorf("%q is not the answer", answer)
		return
	}
	t.Logf("right: %s", strings.TrimSpace(answer))
}

// NumberKey is the key of a number of which so many decimals count, for [Number]. It panics on a number that is not
// finite and on decimals outside 0 to 12: keys are made by authors.
func NumberKey(answer float64, decimals int) string {
	if math.IsNaN(answer) || math.IsInf(answer, 0) || decimals < 0 || decimals > mostDecimals {
		panic(fmt.Sprintf("exercise: no key for %v with %d decimals", answer, decimals))
	}
	return fmt.Sprintf("%d:%s", decimals, lock(rounded(answer, decimals)))
}

// TextKey is the key of a text, for [Text].
func TextKey(answer string) string { return lock(normal(answer)) }

// parseKey splits the key of a number into its decimals and what [opens] takes.
func parseKey(key string) (decimals int, secret string, err error) {
	count, secret, found := strings.Cut(key, ":")
	decimals, err = strconv.Atoi(count)
	if !found || err != nil || decimals < 0 || decimals > mostDecimals || len(secret) != 2*(saltBytes+keyBytes)+1 {
		return 0, "", fmt.Errorf("exercise: key %.200q, want DECIMALS:SALT:HASH as NumberKey prints it", key)
	}
	return decimals, secret, nil
}

// rounded prints a number with so many decimals; zero has no sign.
func rounded(value float64, decimals int) string {
	text := strconv.FormatFloat(value, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		return strings.TrimPrefix(text, "-")
	}
	return text
}

func normal(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// lock returns a new salt and the hash of the text with it.
func lock(text string) string {
	salt := make([]byte, saltBytes)
	rand.Read(salt)
	return hex.EncodeToString(salt) + ":" + digest(text, hex.EncodeToString(salt))
}

// opens tells whether the text is the one that was locked.
func opens(secret, text string) bool {
	salt, hash, _ := strings.Cut(secret, ":")
	return digest(text, salt) == hash
}

func digest(text, salt string) string {
	sum, err := pbkdf2.Key(sha256.New, "sparsero exercise "+text, []byte(salt), hashRounds, keyBytes)
	if err != nil {
		panic(err) // only where the lengths are forbidden
	}
	return hex.EncodeToString(sum)
}
