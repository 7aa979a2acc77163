"""One container per student, on a network that only the hub shares with it.

Where the package dockerspawner can be installed, its DockerSpawner can take the place of this class; Debian does not
have it.
"""

import asyncio
import ipaddress
import socket

import docker
from docker.errors import APIError, NotFound
from docker.types import IPAMConfig, IPAMPool, LogConfig
from jupyterhub.spawner import Spawner
from traitlets import Integer, Unicode

PORT = 8888
SECONDS_TO_STOP = 10


class ContainerSpawner(Spawner):
    """Starts a student's server in a container of its own, with the protections of docker/compose.yaml."""

    image = Unicode(help="the image of a student's server").tag(config=True)
    prefix = Unicode("directions", help="the beginning of the names of containers, networks and volumes").tag(config=True)
    pids_limit = Integer(512, help="how many processes and threads a student may have").tag(config=True)
    subnets = Unicode("10.213.0.0/16", help="the addresses that are cut into a network per student").tag(config=True)

    @property
    def label(self):
        return f"org.sparsero.directions.hub={self.prefix}"

    @property
    def labels(self):
        return dict([self.label.split("=", 1)])

    @property
    def object_name(self):
        """The name of the student's container and network; the volume's ends with -work."""
        return f"{self.prefix}-student-{self.user.name}"

    async def with_engine(self, work):
        """Runs work(engine) beside the hub's event loop, because Docker's library waits for its answers."""

        def run():
            engine = docker.from_env()
            try:
                return work(engine)
            finally:
                engine.close()

        return await asyncio.to_thread(run)

    async def start(self):
        """Starts the container and returns the address of the server."""
        environment, options = self.get_env(), self.get_args()
        await self.with_engine(self.remove)
        await self.with_engine(lambda engine: self.create(engine, environment, options).start())
        return f"http://{self.object_name}:{PORT}"

    async def poll(self):
        """None while the container runs, else its exit status. A hub that was made anew joins the networks again."""
        return await self.with_engine(self.look)

    async def stop(self, now=False):
        """Stops the container and removes it and its network; the volume stays."""
        await self.with_engine(self.remove)

    def create(self, engine, environment, options):
        volume = engine.volumes.create(f"{self.object_name}-work", labels=self.labels)
        network = self.make_network(engine)
        self.join(network)
        return engine.containers.create(
            self.image,
            options,
            name=self.object_name,
            hostname=self.user.name,
            labels=self.labels,
            environment=environment,
            network=network.name,
            volumes={volume.name: {"bind": "/work", "mode": "rw"}},
            read_only=True,
            tmpfs={"/tmp": "exec,mode=1777", "/home/student": "exec,mode=1777"},
            cap_drop=["ALL"],
            security_opt=["no-new-privileges:true"],
            mem_limit=self.mem_limit,
            memswap_limit=self.mem_limit,  # the same number: no swap beside the memory
            nano_cpus=int(self.cpu_limit * 1e9),
            pids_limit=self.pids_limit,
            healthcheck={"test": ["NONE"]},  # the hub asks the server itself
            log_config=LogConfig(type=LogConfig.types.JSON, config={"max-size": "1m"}),
        )

    def make_network(self, engine):
        """A network without a way out, on the first free addresses. Docker's own choice ends after some thirty."""
        for subnet in ipaddress.ip_network(self.subnets).subnets(new_prefix=29):
            pool = IPAMConfig(pool_configs=[IPAMPool(subnet=str(subnet))])
            try:
                return engine.networks.create(self.object_name, driver="bridge", internal=True, labels=self.labels, ipam=pool)
            except APIError as error:
                if "overlaps" not in str(error):
                    raise
        raise RuntimeError(f"all addresses of {self.subnets} are taken; give more in DIRECTIONS_SUBNETS")

    def join(self, network):
        """Puts the hub into the student's network, where it is called hub."""
        network.reload()
        if not any(container.id.startswith(socket.gethostname()) for container in network.containers):
            network.connect(socket.gethostname(), aliases=["hub"])

    def look(self, engine):
        try:
            container = engine.containers.get(self.object_name)
            if container.status in ("running", "restarting", "paused"):
                self.join(engine.networks.get(self.object_name))
                return None
        except NotFound:
            return 0
        self.log.warning("the server of %s has ended: %s", self.user.name, container.logs(tail=5).decode(errors="replace"))
        return container.attrs["State"]["ExitCode"]

    def remove(self, engine):
        try:
            container = engine.containers.get(self.object_name)
            container.stop(timeout=SECONDS_TO_STOP)
            container.remove(force=True)
        except NotFound:
            pass
        try:
            network = engine.networks.get(self.object_name)
            for container in network.containers:
                network.disconnect(container, force=True)
            network.remove()
        except NotFound:
            pass
