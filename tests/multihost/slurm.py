"""A cluster that Slurm runs, of hosts in namespaces (hosts.py), for tests: `with Slurm(2) as cluster: cluster.run("srun -n 4 hostname")`.

munged and slurmctld run beside the bridge, as host "head", where run() starts commands, too; one slurmd runs on each host.  All that
they write lies in a folder that goes with the cluster, and they die with the process that made them.
"""

import os
import shutil
import subprocess
import time

import hosts as multihost

DAEMONS = ("munged", "slurmctld", "slurmd", "srun", "salloc", "sbatch", "sinfo")
SECONDS_TO_START = 60  # only what hangs takes that long
CONFIGURATION = """ClusterName=banyan
SlurmctldHost=head
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/%n/spool
TmpFS={folder}/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
NodeName=h[0-{last}] CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def why_not():
    """Why there can be no such cluster here, in a few words; None if there can."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    absent = [daemon for daemon in DAEMONS if not shutil.which(daemon)]
    if absent:
        return "there is no %s (Debian: slurmctld, slurmd, slurm-client, munge)" % ", ".join(absent)
    if os.geteuid() != 0:
        return "slurmctld and slurmd for all users are started by root alone"
    return multihost.why_not()


class Slurm:
    """Hosts h0 .. h<count-1> with `cpus` processors each, as Slurm sees them, from `with` on until its end."""

    def __init__(self, count, cpus=4):
        self.hosts = multihost.Hosts(count)
        self.count, self.cpus = count, cpus
        self.folder = None
        self.daemons = []

    def __enter__(self):
        self.hosts.__enter__()
        try:
            self._start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
        self.hosts.close()

    def command(self, *words):
        """A command on the head."""
        return self.hosts.beside_hosts(["env", "SLURM_CONF=%s/slurm.conf" % self.folder, *self._settings(), *words])

    def run(self, script, **more):
        """subprocess.run of a script of the shell on the head."""
        return subprocess.run(self.command("sh", "-c", script), stdin=subprocess.DEVNULL, check=False, **more)

    def _settings(self):
        """What programs need on a network of namespaces; jobs take the environment along."""
        settings = ["%s_%s=%s" % ("OMPI_MCA", name, value) for name, value in self.hosts.settings().items() if not name.startswith("plm")]
        return [*settings, *multihost.UCX_SETTINGS]

    def _daemon(self, command):
        log = open(os.path.join(self.folder, "daemons.log"), "ab")  # pylint: disable=consider-using-with
        self.daemons.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                                             preexec_fn=multihost.die_with_parent))
        log.close()

    def _await(self, what, condition):
        end = time.monotonic() + SECONDS_TO_START
        while not condition():
            if time.monotonic() > end:
                raise multihost.HostsError("%s: see %s" % (what, self._logs()))
            time.sleep(0.05)

    def _logs(self):
        found = []
        for folder, _, names in os.walk(self.folder):
            for name in names:
                if name.endswith(".log"):
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                        found.append("%s:\n%s" % (name, file.read()[-2000:]))
        return "\n".join(found)

    def _start(self):
        self.folder = os.path.join(self.hosts.folder, "slurm")
        os.chmod(self.hosts.folder, 0o755)  # munged asks that others may look into the folders above its socket
        for name in ("state", *("h%d" % i for i in range(self.count))):
            os.makedirs(os.path.join(self.folder, name))
        with open(self.folder + "/slurm.conf", "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(folder=self.folder, last=self.count - 1, cpus=self.cpus))
        key, socket = self.folder + "/munge.key", self.folder + "/munge.socket"
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o400), "wb") as file:
            file.write(os.urandom(128))
        self._daemon(["munged", "-F", "--force", "--key-file", key, "--socket", socket, "--pid-file", self.folder + "/munge.pid",
                      "--log-file", self.folder + "/munged.log", "--seed-file", self.folder + "/munge.seed"])
        self._await("munged does not start", lambda: os.path.exists(socket))
        self._daemon(self.command("slurmctld", "-D", "-c"))
        for host in range(self.count):
            self._daemon(self.hosts.inside(host, ["env", "SLURM_CONF=%s/slurm.conf" % self.folder, "slurmd", "-D", "-N", "h%d" % host]))
        self._await("no node is idle", lambda: self.run("sinfo -h -o %t", capture_output=True, text=True).stdout.split() == ["idle"])
