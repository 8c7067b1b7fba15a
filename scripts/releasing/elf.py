"""Reads what a release must know about a program: its interpreter and the list of its crates."""

import json
import struct
import zlib

PT_INTERP = 3


def interpreter(image):
    """Path of the dynamic loader; empty if the program is static."""
    offset, size, count = _table(image, 32, 54)
    for at in range(count):
        entry = image[offset + at * size :]
        kind, _flags, start, _va, _pa, length = struct.unpack_from("<IIQQQQ", entry)
        if kind == PT_INTERP:
            return image[start : start + length].rstrip(b"\0").decode()
    return ""


def crates(image):
    """Names and versions of all crates, from the section that cargo-auditable adds."""
    packed = _section(image, b".dep-v0")
    if packed is None:
        return {}
    listed = json.loads(zlib.decompress(packed))
    return {package["name"]: package["version"] for package in listed["packages"]}


def _section(image, name):
    offset, size, count = _table(image, 40, 58)
    entries = [struct.unpack_from("<IIQQQQ", image, offset + at * size) for at in range(count)]
    names = entries[struct.unpack_from("<H", image, 62)[0]][4]
    for where, _kind, _flags, _address, start, length in entries:
        end = image.index(b"\0", names + where)
        if image[names + where : end] == name:
            return image[start : start + length]
    return None


def _table(image, pointer, sizes):
    """Offset, entry size and count of a table of a 64-bit little-endian program."""
    if image[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF file")
    (offset,) = struct.unpack_from("<Q", image, pointer)
    size, count = struct.unpack_from("<HH", image, sizes)
    return offset, size, count
