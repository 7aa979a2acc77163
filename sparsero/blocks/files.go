package blocks

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local" // Beam brings that of gs://
)

// join names a file of a folder; filepath.Join would spoil gs://.
func join(folder, name string) string { return strings.TrimSuffix(folder, "/") + "/" + name }

// using runs an action on the file system of a name: this machine's, or an object store.
func using(ctx context.Context, name string, action func(filesystem.Interface) error) error {
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	return errors.Join(action(files), files.Close())
}

// fetch returns where files of a folder are on this machine: in the folder itself or, for
// those of an object store, in a temporary one. The caller removes what was copied.
func fetch(ctx context.Context, folder string, names ...string) (local string, remove func() error, err error) {
	if !strings.Contains(folder, "://") {
		return folder, func() error { return nil }, nil
	}
	if local, err = os.MkdirTemp("", "beam-blocks-"); err != nil {
		return "", nil, err
	}
	remove = func() error { return os.RemoveAll(local) }
	for _, name := range names {
		if err := copyFile(ctx, join(folder, name), filepath.Join(local, name)); err != nil {
			return "", nil, errors.Join(err, remove())
		}
	}
	return local, remove, nil
}

// copyFile copies a file of an object store to this machine.
func copyFile(ctx context.Context, from, to string) error {
	return using(ctx, from, func(files filesystem.Interface) error {
		reader, err := files.OpenRead(ctx, from)
		if err != nil {
			return err
		}
		defer reader.Close()
		writer, err := os.Create(to)
		if err != nil {
			return err
		}
		_, err = io.Copy(writer, reader)
		return errors.Join(err, writer.Close())
	})
}

func readJSON(ctx context.Context, name string, value any) error {
	return using(ctx, name, func(files filesystem.Interface) error {
		text, err := filesystem.Read(ctx, files, name)
		if err != nil {
			return err
		}
		return json.Unmarshal(text, value)
	})
}

// writeJSON writes a file under another name first, so that nobody reads a part of it and
// an attempt that is repeated changes nothing.
func writeJSON(ctx context.Context, name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return using(ctx, name, func(files filesystem.Interface) error {
		part := name + "-" + rand.Text()
		if err := filesystem.Write(ctx, files, part, text); err != nil {
			return err
		}
		return filesystem.Rename(ctx, files, part, name)
	})
}

// removeFile removes a file if it is there. One that stays does no harm.
func removeFile(ctx context.Context, name string) {
	files, err := filesystem.New(ctx, name)
	if remover, ok := files.(filesystem.Remover); ok && err == nil {
		_ = errors.Join(remover.Remove(ctx, name), files.Close())
	}
}
