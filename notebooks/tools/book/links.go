package book

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

var (
	reference = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anchor    = regexp.MustCompile(`id="([^"]*)"`)
)

// BrokenLinks lists the links and sources in the pages of a site that lead nowhere: files that are missing, anchors that
// are not on their page, and everything that a page would load from elsewhere. Links to other sites are not followed.
func BrokenLinks(site string, pages []string) ([]string, error) {
	anchors := map[string]map[string]bool{}
	content := map[string]string{}
	for _, name := range pages {
		text, err := os.ReadFile(filepath.Join(site, filepath.FromSlash(name)))
		if err != nil {
			return nil, fmt.Errorf("book: %w", err)
		}
		content[name] = string(text)
		anchors[name] = map[string]bool{}
		for _, match := range anchor.FindAllStringSubmatch(string(text), -1) {
			anchors[name][match[1]] = true
		}
	}
	var broken []string
	for _, name := range pages {
		// What a script holds, such as a specification, may be any text.
		outside := scriptElement.ReplaceAllStringFunc(content[name], func(script string) string {
			opening, _, _ := strings.Cut(script, ">")
			return opening + ">"
		})
		for _, match := range reference.FindAllStringSubmatch(outside, -1) {
			if !leads(site, name, match, anchors) {
				broken = append(broken, name+": "+match[1])
			}
		}
	}
	return broken, nil
}

// leads tells whether a reference on a page leads somewhere.
func leads(site, name string, match []string, anchors map[string]map[string]bool) bool {
	target, fragment, _ := strings.Cut(match[1], "#")
	switch {
	case strings.HasPrefix(target, "data:"):
		return true
	case strings.Contains(target, "://"):
		return strings.HasPrefix(match[0], "href")
	case target == "":
		target = name
	default:
		target = path.Join(path.Dir(name), target)
	}
	if known, isPage := anchors[target]; isPage {
		return fragment == "" || known[fragment]
	}
	_, err := os.Stat(filepath.Join(site, filepath.FromSlash(target)))
	return err == nil
}
