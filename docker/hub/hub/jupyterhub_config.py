"""The hub of a class; compose.yaml names the settings that it reads from the environment."""

import os
from pathlib import Path

from accounts import SheetAuthenticator
from containers import PORT, ContainerSpawner
from roster import ROSTER, TEACHER, make_key, read_roster

c = get_config()  # noqa: F821
make_key()

# Accounts. The authenticator knows the class, so whoever it lets in is allowed; the names are given here so that the page
# of the teacher shows them before they come. A mistake in the list stops the hub with a message.
c.JupyterHub.authenticator_class = SheetAuthenticator
c.Authenticator.allow_all = True
c.Authenticator.allowed_users = set(read_roster())
c.Authenticator.admin_users = {TEACHER}
c.Authenticator.auth_refresh_age = 60

# A container per student.
idle = int(os.environ["DIRECTIONS_IDLE"])
c.JupyterHub.spawner_class = ContainerSpawner
c.ContainerSpawner.image = os.environ["DIRECTIONS_STUDENT_IMAGE"]
c.ContainerSpawner.prefix = os.environ["DIRECTIONS_HUB"]
c.ContainerSpawner.subnets = os.environ["DIRECTIONS_SUBNETS"]
c.ContainerSpawner.pids_limit = int(os.environ["DIRECTIONS_STUDENT_PROCESSES"])
c.Spawner.mem_limit = os.environ["DIRECTIONS_STUDENT_MEMORY"]
c.Spawner.cpu_limit = float(os.environ["DIRECTIONS_STUDENT_CPUS"])
c.Spawner.ip = "0.0.0.0"  # of the container
c.Spawner.port = PORT
c.Spawner.environment = {"DIRECTIONS_IDLE": str(idle)}
c.Spawner.start_timeout = 300  # a whole class starts at the same minute
c.Spawner.http_timeout = 300
c.Spawner.args = [
    f"--MappingKernelManager.cull_idle_timeout={idle}",  # kernels that no page shows
    f"--ServerApp.shutdown_no_activity_timeout={idle}",  # then the server itself
]

# Where what listens. Only the proxy is published; students' containers reach the hub's API under the name hub.
c.JupyterHub.bind_url = "http://:8000"
c.JupyterHub.hub_ip = "0.0.0.0"
c.JupyterHub.hub_connect_ip = "hub"
c.JupyterHub.db_url = "sqlite:////srv/hub/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = "/srv/hub/jupyterhub_cookie_secret"
c.ConfigurableHTTPProxy.pid_file = "/tmp/proxy.pid"

# A certificate beside the list of the class switches TLS on.
certificate, key = (Path(ROSTER.parent, f"tls.{kind}") for kind in ("crt", "key"))
if certificate.exists():
    c.JupyterHub.bind_url = "https://:8000"
    c.JupyterHub.ssl_cert = str(certificate)
    c.JupyterHub.ssl_key = str(key)
