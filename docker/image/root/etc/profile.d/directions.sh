# shellcheck shell=sh
# A login shell sets a PATH of its own, without the kernel and go.
export PATH="/opt/directions/bin:/usr/lib/go-1.26/bin:$PATH"
