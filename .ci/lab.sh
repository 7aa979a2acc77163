#!/usr/bin/env bash
# Opens JupyterLab on the notebooks, with the project's kernel; nothing is asked of the network, unless ONLINE=1 lets
# cells fetch other Go modules. Arguments are passed on.
set -euo pipefail
# shellcheck source=.ci/base.sh
. "$(dirname "${BASH_SOURCE[0]}")/base.sh"
# shellcheck source=.ci/highs.sh
. "$ROOT/.ci/highs.sh"
# shellcheck source=.ci/requirements.sh
. "$ROOT/.ci/requirements.sh"

lab=$(find_lab) || die "JupyterLab is not installed; get it with
  $(remedy jupyterlab)"
"$ROOT/.ci/setup.sh"
export JUPYTER_PATH=$BUILD/jupyter${JUPYTER_PATH:+:$JUPYTER_PATH}
[ -n "${ONLINE:-}" ] || modules_of_setup
flags=(--LabApp.news_url=None --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate
  --LabApp.extension_manager=readonly --MultiKernelManager.default_kernel_name=gonb
  --ServerApp.ip=127.0.0.1 "--ServerApp.root_dir=$ROOT/notebooks")
if [ "$(id -u)" = 0 ]; then flags+=(--allow-root); fi
cd "$ROOT/notebooks"
exec "$lab" "${flags[@]}" "$@"
