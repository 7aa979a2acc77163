#!/usr/bin/env bash
# Makes the base image (debian:trixie-slim, or the name given) with debootstrap where it cannot be pulled. The archives
# are those that this machine's apt uses. Needs root, and Debian or a system that has debootstrap.
# Usage: base-image.sh [NAME]
set -euo pipefail
name=${1:-debian:trixie-slim}

die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# archive PATTERN: the first archive of this machine's apt for a release of that pattern.
archive() {
  # shellcheck disable=SC2016 # apt's own variables
  apt-get indextargets --no-release-info --format '$(RELEASE) $(SITE) $(COMPONENT)' |
    awk -v pattern="$1" '$1 ~ pattern && $3 == "main" { print $2; exit }'
}

# progress: of what debootstrap says, the first line of each phase and every 25th below it, with the seconds so far.
progress() {
  local tag phase rest last='' count=0
  while read -r tag phase rest; do
    [ "$tag" = I: ] || continue
    if [ "$phase" != "$last" ]; then last=$phase count=0; fi
    if [ $((count % 25)) = 0 ]; then printf '%5d s  %s %s\n' "$SECONDS" "$phase" "$rest"; fi
    count=$((count + 1))
  done
}

[ "$(id -u)" = 0 ] || die "debootstrap needs root"
command -v debootstrap >/dev/null || die "debootstrap is missing: apt-get install -y --no-install-recommends debootstrap"
# Names of suites, as against stable, end in a letter; a security archive is no place to install from.
main=$(archive '^[a-z]+$') || true
security=$(archive '^[a-z]+-security$') || true
[ -n "$main" ] || die "apt of this machine names no Debian archive"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
echo "making $name from $main: half a minute, on a busy machine seven"
debootstrap --force-check-gpg --variant=minbase trixie "$scratch/root" "$main" 2>&1 | tee "$scratch/log" | progress ||
  { tail -n 20 "$scratch/log" >&2; die "debootstrap failed"; }
{
  echo "deb $main trixie main"
  echo "deb $main trixie-updates main"
  if [ -n "$security" ]; then echo "deb $security trixie-security main"; fi
} >"$scratch/root/etc/apt/sources.list"
rm -rf "$scratch"/root/var/{lib/apt/lists,cache/apt/archives,log}/* "$scratch"/root/usr/share/{doc,man,info,locale}/*
printf '%5d s  Importing the image\n' "$SECONDS"
tar -C "$scratch/root" --numeric-owner -c . |
  docker import --change 'CMD ["bash"]' --message "debootstrap --variant=minbase trixie" - "$name" >/dev/null
