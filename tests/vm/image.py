# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The guest's disks: base tree + test support + product packages, booted once and kept as a snapshot."""

import contextlib
import fcntl
import hashlib
import os
import shutil
import struct
import subprocess
import time
from pathlib import Path

import base
from machine import DISKS, Machine, qemu_version

HERE = Path(__file__).resolve().parent
SNAPSHOT = "booted"
ROOT_SIZE_MIB = 3072
KEPT_IMAGES = 4

# Where each file of inside/rig goes, and its mode.
FILES = {
    "rig-agent": ("usr/local/lib/rig/rig-agent", 0o755),
    "in-session": ("usr/local/lib/rig/in-session", 0o755),
    "agentrun": ("usr/local/lib/rig/agentrun", 0o755),
    "answer-password": ("usr/local/lib/rig/answer-password", 0o755),
    "rig-agent.service": ("etc/systemd/system/rig-agent.service", 0o644),
    "autologin.conf": ("etc/systemd/system/getty@tty1.service.d/autologin.conf", 0o644),
}

# The tables and file systems of the standing disks: (sfdisk script, [(partition start in MiB, mkfs)]).
LAYOUT = {
    "hdd": ("label: gpt\nsize=512MiB, name=data\nsize=256MiB\n",
            [(1, "mkfs.ext4 -q -F -L data -E offset={offset} {file} 512M")]),
    "ssd": ("label: gpt\nsize=512MiB, name=fast\n",
            [(1, "mkfs.ext4 -q -F -L fast -E offset={offset} {file} 512M")]),
    "stick": ("label: dos\nsize=200MiB, type=83\n",
              [(1, "mkfs.ext4 -q -F -L stick -E offset={offset} {file} 200M")]),
}


class Image:
    """A finished image folder. While this object lives, nobody removes the folder."""

    def __init__(self, folder):
        self.folder = folder
        self.kernel = folder / "vmlinux"
        self.initrd = folder / "initrd"
        self._lock = (folder / "use.lock").open("w")
        fcntl.flock(self._lock, fcntl.LOCK_SH)
        os.utime(folder)

    def copy_disks(self, target):
        """Private copies of the disks with the snapshot in them, a fraction of a second."""
        paths = {}
        for name in ("root", *DISKS):
            paths[name] = target / f"{name}.qcow2"
            subprocess.run(["cp", "--sparse=always", "--reflink=auto", str(self.folder / f"{name}.qcow2"),
                            str(paths[name])], check=True)
        return paths


def key(debs):
    """Names the image: everything that goes into it or that the snapshot depends on."""
    digest = hashlib.sha256(f"{base.key()} {qemu_version()}".encode())
    own = [HERE / "image.py", HERE / "machine.py", *sorted((HERE / "inside/rig").iterdir())]
    for path in (*own, *debs):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


@contextlib.contextmanager
def mounted(command, target):
    subprocess.run(["mount", *command, str(target)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(target)], check=True)


def install(tree, debs, log):
    """Install the packages as an administrator would: apt, dependencies checked, scripts run."""
    (tree / "tmp/debs").mkdir()
    for deb in debs:
        shutil.copy(deb, tree / "tmp/debs")
    (tree / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
    (tree / "usr/sbin/policy-rc.d").chmod(0o755)
    apt = "apt-get install -y --no-install-recommends -o Dpkg::Use-Pty=0"
    script = f"""export DEBIAN_FRONTEND=noninteractive
        {apt} /tmp/debs/*.deb || {{ apt-get update && {apt} /tmp/debs/*.deb; }}"""
    archives = tree / "var/cache/apt/archives"
    archives.mkdir(parents=True, exist_ok=True)
    if os.path.exists("/etc/resolv.conf"):
        shutil.copy("/etc/resolv.conf", tree / "etc/resolv.conf")
    with mounted(["-t", "proc", "proc"], tree / "proc"), \
            mounted(["--bind", str(base.ARCHIVES)], archives):
        done = subprocess.run(["chroot", str(tree), "sh", "-c", script], stdin=subprocess.DEVNULL,
                              stdout=log, stderr=log, check=False)
    if done.returncode:
        log.flush()
        tail = Path(log.name).read_text(errors="replace")[-3000:]
        raise RuntimeError(f"installing {', '.join(deb.name for deb in debs)} in the guest failed:\n{tail}")
    shutil.rmtree(tree / "tmp/debs")
    shutil.rmtree(tree / "var/lib/apt/lists", ignore_errors=True)
    (tree / "usr/sbin/policy-rc.d").unlink()


def fill(tree, folder, debs, log):
    """The tree of the image, and the kernel and initrd that QEMU starts."""
    for name, (path, mode) in FILES.items():
        target = tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(HERE / "inside/rig" / name, target)
        target.chmod(mode)
    wants = tree / "etc/systemd/system/sysinit.target.wants"
    wants.mkdir(exist_ok=True)
    (wants / "rig-agent.service").symlink_to("/etc/systemd/system/rig-agent.service")
    if debs:
        install(tree, debs, log)
    (folder / "vmlinux").write_bytes(unpack_kernel(next((tree / "boot").glob("vmlinuz-*")).read_bytes()))
    shutil.copy(next((tree / "boot").glob("initrd.img-*")), folder / "initrd")


def unpack_kernel(image):
    """The ELF kernel in a bzImage (layout: the kernel's Documentation/arch/x86/boot.rst). QEMU enters it
    by PVH; unpacking it in the emulated machine would take seconds at each start."""
    offset, length = struct.unpack_from("<II", image, 0x248)
    offset += (image[0x1f1] + 1) * 512
    # The last four bytes are the unpacked size.
    unpacked = subprocess.run(["zstd", "-dc"], input=image[offset:offset + length - 4], check=True,
                              capture_output=True).stdout
    if not unpacked.startswith(b"\x7fELF"):
        raise RuntimeError("the guest's kernel is not packed with zstd as expected")
    return unpacked


def make_disk(tree, folder, name):
    """A partitioned disk with file systems, as qcow2. sfdisk is the guest's."""
    size, _device = DISKS[name]
    script, systems = LAYOUT[name]
    raw = tree / "tmp" / f"{name}.raw"
    with raw.open("wb") as file:
        file.truncate(size << 20)
    subprocess.run(["chroot", str(tree), "sfdisk", "--quiet", f"/tmp/{name}.raw"], input=script, text=True,
                   check=True, stdout=subprocess.DEVNULL)
    for start, command in systems:
        words = command.format(offset=start << 20, file=raw).split()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["qemu-img", "convert", "-q", "-f", "raw", "-O", "qcow2", str(raw),
                    str(folder / f"{name}.qcow2")], check=True)
    raw.unlink()


def make_root(tree, folder):
    raw = folder / "root.raw"
    with raw.open("wb") as file:
        file.truncate(ROOT_SIZE_MIB << 20)
    subprocess.run(["mkfs.ext4", "-q", "-F", "-L", "root", "-d", str(tree), str(raw)], check=True)
    subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", str(raw), "-F", "raw",
                    str(folder / "root.qcow2")], check=True)


def boot_and_save(folder, say):
    """The first boot; the snapshot is taken when nothing is left to start."""
    from guest import Guest
    disks = {name: folder / f"{name}.qcow2" for name in ("root", *DISKS)}
    with Guest.on_disks(folder, disks, kernel=folder / "vmlinux", initrd=folder / "initrd", say=say,
                        durable=False) as guest:
        guest.power_on()
        guest.run("sync; echo 3 >/proc/sys/vm/drop_caches; systemctl start polkit; pkaction >/dev/null")
        guest.machine.save(SNAPSHOT)


def build(folder, debs, say):
    started = time.monotonic()
    times = []

    def took(what):
        nonlocal started
        now = time.monotonic()
        times.append(f"{what} {now - started:.1f} s")
        started = now

    base_tree = base.ensure(say)
    took("base tree")
    upper, work, tree = (folder / name for name in ("upper", "work", "tree"))
    for path in (upper, work, tree):
        path.mkdir()
    with (folder / "build.log").open("w") as log:
        with mounted(["-t", "overlay", "overlay", "-o",
                      f"lowerdir={base_tree},upperdir={upper},workdir={work}"], tree):
            fill(tree, folder, debs, log)
            took("product")
            for name in DISKS:
                make_disk(tree, folder, name)
            make_root(tree, folder)
            took("disks")
    for path in (upper, work):
        shutil.rmtree(path)
    tree.rmdir()
    boot_and_save(folder, say)
    took("first boot and snapshot")
    say("image built: " + ", ".join(times))


def prune(keep, say):
    """Remove unfinished images, and all but the newest KEPT_IMAGES that nobody uses."""
    folders = sorted(base.CACHE.glob("image-*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for number, folder in enumerate(folders):
        if folder == keep or (number < KEPT_IMAGES and (folder / "ready").exists()):
            continue
        with (folder / "use.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            say(f"removing the old image {folder.name}")
            shutil.rmtree(folder)
    # One base tree besides the current one stays, so that two source trees do not undo each other's.
    trees = [path for path in base.CACHE.glob("base-*") if path.is_dir() and path.name != f"base-{base.key()}"]
    for tree in sorted(trees, key=lambda path: path.stat().st_mtime)[:-1]:
        shutil.rmtree(tree)


def ensure(debs, say):
    """The image with these packages, built if it is missing."""
    base.CACHE.mkdir(parents=True, exist_ok=True)
    folder = base.CACHE / f"image-{key(debs)}"
    ready = folder / "ready"
    if ready.exists():
        # Without the build lock, so that a build in another source tree does not hold this one up.
        with contextlib.suppress(FileNotFoundError):
            image = Image(folder)
            if ready.exists():
                return image
    with (base.CACHE / "build.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            if folder.exists():
                shutil.rmtree(folder)
            prune(folder, say)
            folder.mkdir()
            say(f"making the guest image {folder} with {[deb.name for deb in debs] or 'no product'}")
            build(folder, debs, say)
            ready.touch()
        return Image(folder)
