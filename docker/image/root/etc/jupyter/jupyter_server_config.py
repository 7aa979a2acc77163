"""JupyterLab in the container; the command line and DIRECTIONS_* only add what differs between runs (bin/start)."""

c = get_config()  # noqa: F821

c.ServerApp.ip = "0.0.0.0"  # of the container; which address of the host is published is Docker's business
c.ServerApp.port = 8888
c.ServerApp.port_retries = 0
c.ServerApp.open_browser = False
c.ServerApp.root_dir = "/work"
c.ServerApp.quit_button = False
c.MultiKernelManager.default_kernel_name = "gonb"

# A save goes through a copy of the old file; what a killed save leaves half written is replaced by it on opening.
c.FileManagerMixin.use_atomic_writing = True

# The settings of the page outlive the container.
c.LabApp.user_settings_dir = "/work/.jupyterlab/settings"
c.LabApp.workspaces_dir = "/work/.jupyterlab/workspaces"

# Nothing is asked of the network.
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
c.LabApp.extension_manager = "readonly"

# Kernels get three seconds to end; Docker waits for ten.
c.KernelManager.shutdown_wait_time = 3.0

# There is no Python kernel.
c.KernelSpecManager.ensure_native_kernel = False
