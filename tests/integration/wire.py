# SPDX-FileCopyrightText: 2026 The Diskwright authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests and reports as the tests see them: built and read by hand, below every library of the product."""

import struct


def cbor(value):
    """Canonical CBOR of integers, bytes, text, booleans, None, lists and maps with ascending integer keys."""

    def head(major, number):
        for size, code, layout in ((24, None, None), (1 << 8, 24, ">B"), (1 << 16, 25, ">H"), (1 << 32, 26, ">I")):
            if number < size:
                if code is None:
                    return bytes([major << 5 | number])
                return bytes([major << 5 | code]) + struct.pack(layout, number)
        return bytes([major << 5 | 27]) + struct.pack(">Q", number)

    if value is None:
        return b"\xf6"
    if value is True or value is False:
        return b"\xf5" if value else b"\xf4"
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, (list, tuple)):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(k) + cbor(v) for k, v in sorted(value.items()))


def uncbor(data):
    def item(at):
        major, low = data[at] >> 5, data[at] & 31
        at += 1
        if major == 7:
            return {20: False, 21: True, 22: None}[low], at
        number = low
        if low >= 24:
            size = 1 << (low - 24)
            number = int.from_bytes(data[at:at + size], "big")
            at += size
        if major in (0, 1):
            return (number if major == 0 else -1 - number), at
        if major == 2:
            return data[at:at + number], at + number
        if major == 3:
            return data[at:at + number].decode(), at + number
        out = []
        for _ in range(number * (2 if major == 5 else 1)):
            value, at = item(at)
            out.append(value)
        return (dict(zip(out[::2], out[1::2])) if major == 5 else out), at

    return item(0)[0]


QBYTEARRAY, QSTRING, QINT, QLIST, QMAP = 12, 10, 2, 9, 8


def qstring(text):
    raw = text.encode("utf-16-be")
    return struct.pack(">I", len(raw)) + raw


def qbytes(raw):
    return struct.pack(">I", len(raw)) + raw


def variant(kind, payload, null=0):
    return struct.pack(">IB", kind, null) + payload


def variant_map(entries):
    """QVariantMap from (key, serialized variant) pairs."""
    return struct.pack(">I", len(entries)) + b"".join(qstring(key) + value for key, value in entries)


def arguments(request):
    return variant_map([("request", variant(QBYTEARRAY, qbytes(request)))])


class Reply:
    """KAuth's reply: type 0 is KAuth's own error, 1 the helper's, 2 success."""

    def __init__(self, raw):
        at = 4
        self.report = None
        for _ in range(int.from_bytes(raw[:4], "big")):
            size = int.from_bytes(raw[at:at + 4], "big")
            key = raw[at + 4:at + 4 + size].decode("utf-16-be")
            at += 4 + size
            assert int.from_bytes(raw[at:at + 4], "big") == QBYTEARRAY, "an unexpected type in the reply"
            size = int.from_bytes(raw[at + 5:at + 9], "big")
            assert key == "report", key
            self.report = uncbor(raw[at + 9:at + 9 + size])
            at += 9 + size
        self.error, self.kind = struct.unpack(">iI", raw[at:at + 8])

    @property
    def outcome(self):
        return OUTCOMES[self.report[2]] if self.report else None

    @property
    def why(self):
        return self.report[3] if self.report else None

    @property
    def steps(self):
        return [RESULTS[step[0]] for step in self.report[6]]

    def __repr__(self):
        return f"kind {self.kind} error {self.error} outcome {self.outcome} report {self.report}"


OUTCOMES = ("applied adjusted trial unchanged refused not-authorized rolled-back rollback-failed busy confirmed "
            "prolonged ended kept forgotten undone lease").split()
RESULTS = ("applied adjusted unchanged stale rejected unsupported device-gone rolled-back rollback-failed "
           "not-attempted").split()
(MALFORMED, UNKNOWN_SETTING, UNKNOWN_TARGET, OUT_OF_RANGE, NOT_A_MULTIPLE, CONFLICT, STALE, DEVICE_CHANGED, BUSY,
 WRONG_TOKEN, EXPIRED, DUPLICATE, STATE_FILE, CANCELLED) = (1, 3, 4, 5, 7, 8, 9, 10, 13, 16, 17, 18, 19, 26)

TOKEN = bytes(range(32))


def apply_request(identity, devices, changes, trial=0, keep=False, origin="", token=TOKEN):
    return cbor({0: 1, 1: identity, 2: 0,
                 3: {0: [dict(enumerate(device)) for device in devices],
                     1: [dict(enumerate(change)) for change in changes],
                     2: trial, 3: keep, 4: origin, 5: token, 6: None}})


def lease_request(identity, devices, settings, states, switches=16, seconds=60, token=TOKEN):
    return cbor({0: 1, 1: identity, 2: 1,
                 3: {0: [dict(enumerate(device)) for device in devices],
                     1: [dict(enumerate(setting)) for setting in settings],
                     2: states, 3: switches, 4: seconds, 5: token}})


def operation(identity, number, *fields):
    return cbor({0: 1, 1: identity, 2: number, 3: dict(enumerate(fields))})
