# shellcheck shell=bash
# Files of Debian 13 on any machine with apt, whatever release it runs. To be sourced after base.sh.

# debian_mirror: the Debian mirror that this machine's apt already uses; fails where there is none.
debian_mirror() {
  local site
  # shellcheck disable=SC2016 # apt's own variable
  site=$(apt-get indextargets --format '$(SITE)' 'Label: Debian' 'Created-By: Packages' | head -n 1)
  # Before the first apt-get update labels are unknown.
  # shellcheck disable=SC2016
  [ -n "$site" ] || site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | grep -v security | head -n 1)
  [ -n "$site" ] && echo "$site"
}

# debian_13 KIND FOLDER ARGUMENT...: apt-get ARGUMENT... in FOLDER, seeing nothing but Debian 13's packages (KIND deb) or
# sources (deb-src), with lists and caches of its own, so that the user's apt configuration is only read. What comes
# back is not trusted: the caller compares checksums.
debian_13() {
  local kind=$1 folder=$2 site scratch status=0
  shift 2
  site=$(debian_mirror) || { say "apt knows no Debian mirror on this machine" >&2; return 1; }
  scratch=$(mktemp -d)
  mkdir -p "$scratch/lists/partial" "$scratch/cache/archives/partial" "$folder"
  echo "$kind [trusted=yes] $site trixie main" >"$scratch/sources.list"
  (
    cd "$folder" || exit 1
    local options=(-q -o "Dir::Etc::SourceList=$scratch/sources.list" -o Dir::Etc::SourceParts=-
      -o "Dir::State::Lists=$scratch/lists" -o "Dir::Cache=$scratch/cache" -o "APT::Sandbox::User=$(id -un)")
    apt-get "${options[@]}" update && apt-get "${options[@]}" "$@"
  ) >"$scratch/log" 2>&1 </dev/null || { status=1; cat "$scratch/log" >&2; }
  rm -rf "$scratch"
  return $status
}
