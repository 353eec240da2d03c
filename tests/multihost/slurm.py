"""A Slurm cluster of hosts in namespaces (hosts.py), for tests: `with Slurm(2) as cluster: cluster.run_script("srun -n
4 hostname")`.

munged and slurmctld run on the bridge's side, as host "head", where run_script() starts commands, too; one slurmd runs
on each host.  All files that they write are in a folder that is deleted with the cluster, and they die with the process
that made them.
"""

import os
import shutil
import subprocess
import time

import hosts as multihost

DAEMONS = ("munged", "slurmctld", "slurmd", "srun", "salloc", "sbatch", "sinfo")
SECONDS_TO_START = 60  # whatever takes longer hangs
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
    """The reason why there can be no such cluster here, in a few words; None if there can."""
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    absent = [daemon for daemon in DAEMONS if not shutil.which(daemon)]
    if absent:
        return "there is no %s (Debian: slurmctld, slurmd, slurm-client, munge)" % ", ".join(absent)
    if os.geteuid() != 0:
        return "slurmctld and slurmd for all users are started by root alone"
    return multihost.why_not()


class Slurm(multihost.Hosts):
    """Hosts h0 .. h<count-1>, each with `cpus` processors for Slurm, which exist during a `with` statement."""

    def __init__(self, count, cpus=4):
        super().__init__(count)
        self.cpus = cpus
        self.slurm_folder = None
        self.daemons = []

    def close(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
        self.daemons.clear()
        super().close()

    def _make(self):
        super()._make()
        self._start()

    def command(self, *words):
        """The command line that runs a command on the head."""
        return self.beside_hosts(["env", "SLURM_CONF=%s/slurm.conf" % self.slurm_folder, *self._needed(), *words])

    def run_script(self, script, **more):
        """subprocess.run of a shell script on the head."""
        return subprocess.run(self.command("sh", "-c", script), stdin=subprocess.DEVNULL, check=False, **more)

    def _needed(self):
        """Settings that programs need on a network of namespaces; jobs inherit the environment."""
        return [*self.network_settings(), *multihost.UCX_SETTINGS]

    def _daemon(self, command):
        log = open(os.path.join(self.slurm_folder, "daemons.log"), "ab")  # pylint: disable=consider-using-with
        self.daemons.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                             start_new_session=True,
                                             preexec_fn=multihost.die_with_parent))
        log.close()

    def _await_service(self, what, condition):
        end = time.monotonic() + SECONDS_TO_START
        while not condition():
            if time.monotonic() > end:
                raise multihost.HostsError("%s: see %s" % (what, self._logs()))
            time.sleep(0.05)

    def _logs(self):
        found = []
        for folder, _, names in os.walk(self.slurm_folder):
            for name in names:
                if name.endswith(".log"):
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                        found.append("%s:\n%s" % (name, file.read()[-2000:]))
        return "\n".join(found)

    def _start(self):
        self.slurm_folder = os.path.join(self.folder, "slurm")
        os.chmod(self.folder, 0o755)  # munged requires that others can read the folders above its socket
        for name in ("state", *("h%d" % i for i in range(self.count))):
            os.makedirs(os.path.join(self.slurm_folder, name))
        with open(self.slurm_folder + "/slurm.conf", "w", encoding="ascii") as file:
            file.write(CONFIGURATION.format(folder=self.slurm_folder, last=self.count - 1, cpus=self.cpus))
        key, socket = self.slurm_folder + "/munge.key", self.slurm_folder + "/munge.socket"
        with open(os.open(key, os.O_WRONLY | os.O_CREAT, 0o400), "wb") as file:
            file.write(os.urandom(128))
        self._daemon(["munged", "-F", "--force", "--key-file", key, "--socket", socket, "--pid-file",
                      self.slurm_folder + "/munge.pid",
                      "--log-file", self.slurm_folder + "/munged.log", "--seed-file",
                      self.slurm_folder + "/munge.seed"])
        self._await_service("munged does not start", lambda: os.path.exists(socket))
        self._daemon(self.command("slurmctld", "-D", "-c"))
        for host in range(self.count):
            self._daemon(self.inside(host, ["env", "SLURM_CONF=%s/slurm.conf" % self.slurm_folder, "slurmd", "-D", "-N",
                                            "h%d" % host]))
        self._await_service("no node is idle",
                            lambda: self.run_script("sinfo -h -o %t", capture_output=True,
                                                    text=True).stdout.split() == ["idle"])
