#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Our engine against fio: 4 KiB random reads, 32 under way, past the page cache, on the same file.

Both read a file that this script makes in a folder on the disk in question. Each round runs both, in random order, and
gives one ratio of I/O rates and one of CPU time for each I/O; what is printed is the median over the rounds with its
95 % interval (order statistics). Ratios, because absolute numbers belong to a machine and its hour.

    tests/bench/engine_vs_fio.py --engine build/dev/app/bench/engine/engine [--folder DIR] [--rounds 12]
"""

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

BLOCK_BYTES = 4096
DEPTH = 32
WARM_UP_MILLISECONDS = 500

FIO_LINES = {
    "default": ["--ioengine=io_uring"],
    "tuned": ["--ioengine=io_uring", "--fixedbufs", "--registerfiles", "--norandommap", "--thread",
              "--iodepth_batch_submit=32", "--iodepth_batch_complete_min=1", "--iodepth_batch_complete_max=32"],
    "libaio": ["--ioengine=libaio"],
}


def make_file(folder, size):
    """A file of random bytes, written through, without a name once it is closed."""
    file = tempfile.NamedTemporaryFile(dir=folder, prefix=".diskwright-fio-")
    block = 8 * 1024 * 1024
    for _ in range(size // block):
        file.write(os.urandom(block))
    file.flush()
    os.fsync(file.fileno())
    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return file


def run_engine(engine, path, size, milliseconds, seed):
    """I/Os a second and CPU nanoseconds for each, of one round of ours."""
    requests = [
        {"request": "prepare", "target": path, "size_bytes": size},
        {"request": "run", "pattern": "random", "block_bytes": BLOCK_BYTES, "depth": DEPTH, "direct": True,
         "duration_ms": milliseconds, "warm_up_ms": WARM_UP_MILLISECONDS, "seed": seed, "engine": "io_uring"},
    ]
    with subprocess.Popen([engine], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        for request, answer in zip(requests, ("prepared", "result")):
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            for line in process.stdout:
                event = json.loads(line)
                if event["event"] == "error":
                    sys.exit(f"the engine failed: {event['reason']}")
                if event["event"] == answer:
                    break
        process.stdin.close()
    return event["ios"] / (event["measured_ns"] / 1e9), event["cpu_ns_per_io"]


def run_fio(options, path, size, milliseconds, seed):
    """The same of fio; its CPU figures cover its job's measured time."""
    command = ["fio", "--name=job", f"--filename={path}", "--readonly", "--rw=randread", f"--bs={BLOCK_BYTES}",
               f"--iodepth={DEPTH}", "--direct=1", f"--size={size}", "--time_based", f"--runtime={milliseconds}ms",
               f"--ramp_time={WARM_UP_MILLISECONDS}ms", f"--randseed={seed}", "--output-format=json", *options]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    job = json.loads(answer[answer.index("{"):])["jobs"][0]
    if job["error"]:
        sys.exit(f"fio failed with error {job['error']}")
    cpu_seconds = (job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] / 1000
    return job["read"]["iops"], cpu_seconds * 1e9 / job["read"]["total_ios"]


def interval(values):
    """Median and the narrowest pair of order statistics around it that covers it with 95 %."""
    ordered = sorted(values)
    count, rank = len(ordered), 0
    while 2 * (rank + 1) <= count:
        tail = sum(math.comb(count, below) for below in range(rank + 1)) / 2 ** count
        if 1 - 2 * tail < 0.95:
            break
        rank += 1
    if rank == 0:
        return statistics.median(ordered), ordered[0], ordered[-1]
    return statistics.median(ordered), ordered[rank - 1], ordered[count - rank]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--folder", default=".", help="on the disk that is to be read (default: here)")
    parser.add_argument("--against", choices=FIO_LINES, default="default")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--milliseconds", type=int, default=2000)
    parser.add_argument("--size", type=int, default=1024, help="of the file, MiB")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--check", action="store_true",
                        help="fail unless ours has at least 0.98 of the I/Os at 0.5 of the CPU time of fio's default")
    options = parser.parse_args()
    if options.rounds < 6 or options.size < 8:
        parser.error("at least 6 rounds and 8 MiB")
    size = options.size // 8 * 8 * 1024 * 1024
    chance = random.Random(options.seed)
    rates, cpus = [], []
    with make_file(options.folder, size) as file:
        for number in range(options.rounds):
            seed = chance.randrange(1, 2 ** 31)
            sides = {"ours": lambda: run_engine(options.engine, file.name, size, options.milliseconds, seed),
                     "fio": lambda: run_fio(FIO_LINES[options.against], file.name, size, options.milliseconds, seed)}
            order = list(sides)
            chance.shuffle(order)
            found = {side: sides[side]() for side in order}
            rates.append(found["ours"][0] / found["fio"][0])
            cpus.append(found["ours"][1] / found["fio"][1])
            print(f"round {number + 1:2}: ours {found['ours'][0]:9.0f} IO/s {found['ours'][1]:7.0f} ns/IO   "
                  f"fio {found['fio'][0]:9.0f} IO/s {found['fio'][1]:7.0f} ns/IO", file=sys.stderr)
    for name, values in (("I/O rate", rates), ("CPU time for each I/O", cpus)):
        print("{}: ours is {:.2f} of fio's {} ({:.2f} to {:.2f}, {} rounds)".format(
            name, interval(values)[0], options.against, *interval(values)[1:], len(values)))
    if options.check and (interval(rates)[0] < 0.98 or interval(cpus)[0] > 0.5):
        sys.exit(1)


if __name__ == "__main__":
    main()
