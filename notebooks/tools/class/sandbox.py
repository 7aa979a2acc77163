"""Runs programs of submissions in containers without network, with bounds on time, memory, processes and output."""

import os
import secrets
import subprocess
import threading

IMAGE = os.environ.get("DIRECTIONS_IMAGE") or "sparsero/directions:latest"
# What one container may use. A Go program has a thread for each processor and some more; each counts as a process.
MEMORY, PROCESSES, SCRATCH = "1g", 128, "64m"
# How much of what a container says is read, in bytes; one that says more is ended.
LONGEST = 32 << 20
# What the image brings for readers, solutions and keys among it, is not there for programs of submissions.
HIDDEN = "/opt/directions"


class Result:
    """What a container left: its output and how it ended, a reason where it was ended from outside."""

    def __init__(self, output, errors, status, reason):
        self.output, self.errors, self.status, self.reason = output, errors, status, reason


def flags(name, folder, writable):
    """The container: as nobody's user, without rights, without network."""
    return ["docker", "run", "--rm", "--interactive", "--name", name, "--label", "org.sparsero.directions.grade=1", "--log-driver", "none",
            "--network", "none", "--read-only", "--tmpfs", f"/tmp:exec,mode=1777,size={'1g' if writable else SCRATCH}",
            *([] if writable else ["--tmpfs", f"{HIDDEN}:mode=0555,size=4k"]), "--tmpfs", "/home/student:exec,mode=1777,size=1g" if writable else "/home/student:mode=1777,size=1m",
            "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", "1000:0", "--cpus", "1", "--pids-limit", "512" if writable else str(PROCESSES),
            "--memory", "3g" if writable else MEMORY, "--memory-swap", "3g" if writable else MEMORY, "--ulimit", "core=0", "--env", "DIRECTIONS_VERDICT=1",
            "--volume", f"{folder}:/job{'' if writable else ':ro'}", "--workdir", "/job"]


def read(stream, kept, name):
    """Reads a stream to its end and keeps its beginning; a program that says too much is ended."""
    size = 0
    while chunk := stream.read1(1 << 16):
        size += len(chunk)
        if size <= LONGEST:
            kept.append(chunk)
        elif size - len(chunk) <= LONGEST:
            kept.append(None)
            kill(name)


def kill(name):
    """Ends a container. Docker may hang over it, on a machine that is busy; then the grader goes on without it."""
    try:
        subprocess.run(["docker", "kill", name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, timeout=60)
    except subprocess.TimeoutExpired:
        pass


def run(folder, command, stdin, limit, writable=False):
    """Runs a command with the folder as /job. Only builds may write there: they run no code of a submission."""
    name = "grade-" + secrets.token_hex(8)
    process = subprocess.Popen([*flags(name, folder, writable), "--entrypoint", command[0], IMAGE, *command[1:]],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    output, errors, reason = [], [], ""
    readers = [threading.Thread(target=read, args=(stream, kept, name), daemon=True)
               for stream, kept in ((process.stdout, output), (process.stderr, errors))]
    for reader in readers:
        reader.start()
    threading.Thread(target=feed, args=(process.stdin, stdin), daemon=True).start()
    try:
        process.wait(limit)
    except subprocess.TimeoutExpired:
        reason = f"stopped after {limit:.0f} s"
        kill(name)
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
    for reader, stream in zip(readers, (process.stdout, process.stderr)):
        reader.join(10)
        if not reader.is_alive():
            stream.close()
    if None in output or None in errors:
        reason = "stopped: too much output"
    elif process.returncode == 137 and not reason:
        reason = f"stopped: out of memory (more than {MEMORY})"
    return Result(text(output), text(errors), process.returncode, reason)


def feed(stream, content):
    try:
        stream.write(content.encode())
        stream.close()
    except OSError:
        pass  # the program ended without reading


def text(chunks):
    return b"".join(chunk for chunk in chunks if chunk).decode("utf-8", "replace")


def available():
    """Why no container can run, or nothing."""
    try:
        found = subprocess.run(["docker", "image", "inspect", IMAGE], capture_output=True, text=True, check=False)
    except OSError:
        return "Docker is missing: install Docker Engine or Docker Desktop"
    if found.returncode:
        return f"there is no image {IMAGE}; build it with: docker compose -f docker/compose.yaml build\nDocker says: {found.stderr.strip()}"
    return ""
