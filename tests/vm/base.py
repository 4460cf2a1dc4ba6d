# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guest's base tree: Debian 13 without the product, made once for each list of packages."""

import hashlib
import inspect
import os
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("DISKWRIGHT_VM_CACHE", "/cache/vm"))
ARCHIVES = Path("/cache/archives")
SOURCES = Path("/etc/apt/sources.list")
SUITE = "trixie"

# Units that cost start time in an emulated machine and that no scenario looks at. Timers are masked
# because a restored guest jumps to today and would run all of them at once.
MASKED = """
apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer
systemd-tmpfiles-clean.timer e2scrub_reap.service uuidd.socket systemd-pstore.service
serial-getty@ttyS0.service ldconfig.service systemd-journal-flush.service
systemd-journal-catalog-update.service systemd-hwdb-update.service systemd-update-done.service
systemd-binfmt.service proc-sys-fs-binfmt_misc.automount dev-hugepages.mount
keyboard-setup.service console-setup.service systemd-networkd.service systemd-networkd.socket
systemd-firstboot.service systemd-sysext.service systemd-confext.service modprobe@drm.service
modprobe@configfs.service modprobe@fuse.service sys-fs-fuse-connections.mount
systemd-random-seed.service systemd-udev-load-credentials.service sys-kernel-tracing.mount
dev-mqueue.mount systemd-hostnamed.socket systemd-creds.socket
""".split()

# Drivers that udev would load for the emulated machine and that no scenario needs.
UNUSED_MODULES = """
kvm_amd kvm_intel ccp iTCO_wdt lpc_ich i2c_i801 pcspkr serio_raw psmouse vga16fb bochs intel_pmc_bxt
""".split()


def packages():
    lines = (HERE / "packages.list").read_text().splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def key():
    """Names the base tree: its packages, its configuration and the code that makes it."""
    digest = hashlib.sha256()
    digest.update("\n".join(packages()).encode())
    for path in sorted((HERE / "inside/base").iterdir()):
        digest.update(path.name.encode() + path.read_bytes())
    digest.update(" ".join(MASKED + UNUSED_MODULES).encode())
    digest.update(inspect.getsource(bootstrap).encode())
    digest.update(inspect.getsource(configure).encode())
    return digest.hexdigest()[:16]


def bootstrap(tree, log):
    """mmdebstrap TREE; the archives folder is shared with the development root."""
    inside = HERE / "inside/base"
    ARCHIVES.mkdir(parents=True, exist_ok=True)
    hooks = [
        '--setup-hook=mkdir -p "$1/var/cache/apt/archives"'
        f' && mount --bind {ARCHIVES} "$1/var/cache/apt/archives"',
        f'--essential-hook=mkdir -p "$1/etc/initramfs-tools/conf.d"'
        f' && cp {inside}/initramfs.conf "$1/etc/initramfs-tools/conf.d/rig"'
        f' && cp {inside}/modules "$1/etc/initramfs-tools/modules"',
        '--customize-hook=umount "$1/var/cache/apt/archives"',
        '--customize-hook=rm -rf "$1"/var/cache/apt/*.bin',
    ]
    exclude = [
        f"--dpkgopt={line}" for line in (inside / "dpkg.cfg").read_text().splitlines()
        if line.startswith("path-")
    ]
    command = [
        "mmdebstrap", "--mode=root", "--variant=minbase", "--format=directory",
        "--skip=download/empty,essential/unlink,cleanup/apt", "--include=" + ",".join(packages()),
        '--aptopt=APT::Install-Recommends "false"', '--aptopt=APT::Keep-Downloaded-Packages "true"',
        "--dpkgopt=force-confold", "--dpkgopt=force-unsafe-io", *exclude, *hooks,
        SUITE, str(tree), str(SOURCES),
    ]
    subprocess.run(command, check=True, stdout=log, stderr=log, stdin=subprocess.DEVNULL)


def configure(tree):
    """What makes the tree a guest: hostname, users' accounts, masked units, a quiet start."""
    def write(name, text, mode=0o644):
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)

    write("etc/hostname", "guest\n")
    write("etc/hosts", "127.0.0.1 localhost guest\n")
    write("etc/fstab", "/dev/vda / ext4 defaults 0 1\n")
    write("etc/machine-id", "d15c0000d15c0000d15c0000d15c0000\n")
    write("etc/systemd/system.conf.d/rig.conf",
          "[Manager]\nDefaultTimeoutStartSec=300\nDefaultDeviceTimeoutSec=300\nShowStatus=no\n")
    write("etc/systemd/journald.conf.d/rig.conf", "[Journal]\nStorage=volatile\nRateLimitBurst=0\n")
    write("etc/systemd/logind.conf.d/rig.conf", "[Login]\nNAutoVTs=0\nReserveVT=0\n")
    write("etc/modprobe.d/rig.conf", "".join(f"blacklist {module}\n" for module in UNUSED_MODULES))
    units = tree / "etc/systemd/system"
    for unit in MASKED:
        link = units / unit
        link.unlink(missing_ok=True)
        link.symlink_to("/dev/null")
    for user in ("alice", "bob"):
        subprocess.run(["chroot", str(tree), "useradd", "--create-home", "--shell", "/bin/bash", user],
                       check=True)
        subprocess.run(["chroot", str(tree), "chpasswd"], input=f"{user}:{user}\n", text=True,
                       check=True)
    # The only member of sudo, so that polkit asks for one password and offers no menu.
    subprocess.run(["chroot", str(tree), "usermod", "-aG", "sudo", "alice"], check=True)
    # Newer than /usr: no unit with ConditionNeedsUpdate runs.
    for name in ("etc/.updated", "var/.updated"):
        write(name, "")


def ensure(say):
    """The folder of the base tree, made if it is missing. The caller holds the build lock."""
    tree = CACHE / f"base-{key()}"
    if tree.is_dir():
        return tree
    CACHE.mkdir(parents=True, exist_ok=True)
    fresh = tree.with_suffix(".new")
    if fresh.exists():
        shutil.rmtree(fresh)
    say(f"making the guest's base tree {tree} (a few minutes, once)")
    log_path = CACHE / "base.log"
    with log_path.open("wb") as log:
        try:
            bootstrap(fresh, log)
        except subprocess.CalledProcessError as error:
            tail = log_path.read_text(errors="replace")[-3000:]
            raise RuntimeError(f"mmdebstrap failed, its log {log_path} ends with:\n{tail}") from error
    configure(fresh)
    fresh.rename(tree)
    return tree
