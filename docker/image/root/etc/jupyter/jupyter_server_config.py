"""JupyterLab in the container; the command line and DIRECTIONS_* only add what differs between runs (bin/start)."""

import os
import sys
import warnings

sys.path.insert(0, "/opt/directions/lib")
import course  # noqa: E402

c = get_config()  # noqa: F821

c.ServerApp.ip = "0.0.0.0"  # of the container; which address of the host is published is Docker's business
c.ServerApp.port = 8888
c.ServerApp.port_retries = 0
c.ServerApp.open_browser = False
c.ServerApp.root_dir = "/work"
c.ServerApp.quit_button = False
c.LabApp.default_url = "/lab/tree/README.md"
c.MultiKernelManager.default_kernel_name = "gonb"

# A save goes through a copy of the old file; what a killed save leaves half written is replaced by it on opening.
c.FileManagerMixin.use_atomic_writing = True

# The page of the course says which exercises are done: it is written anew when a notebook is saved.
c.FileContentsManager.post_save_hook = course.after_save
warnings.filterwarnings("ignore", "Overriding existing post_save_hook")  # the server reads this file twice

# The settings of the page outlive the container.
c.LabApp.user_settings_dir = "/work/.jupyterlab/settings"
c.LabApp.workspaces_dir = "/work/.jupyterlab/workspaces"

# Nothing is asked of the network.
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
c.LabApp.extension_manager = "readonly"

# Kernels get three seconds to end; Docker waits for ten.
c.KernelManager.shutdown_wait_time = 3.0

# A kernel that has run nothing for an hour is stopped, even if its page is still open: each holds memory of its own.
c.MappingKernelManager.cull_idle_timeout = int(os.environ.get("DIRECTIONS_IDLE") or 3600)
c.MappingKernelManager.cull_interval = max(1, min(300, c.MappingKernelManager.cull_idle_timeout // 4))
c.MappingKernelManager.cull_connected = True

# There is no Python kernel.
c.KernelSpecManager.ensure_native_kernel = False

# A shell that keeps PATH: a login shell would set its own, without go.
c.ServerApp.terminado_settings = {"shell_command": ["/bin/bash"]}

# HTML exports from the page look as those of the command jupyter nbconvert.
load_subconfig("jupyter_nbconvert_config.py")  # noqa: F821
