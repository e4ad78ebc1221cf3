#!/usr/bin/env python3
"""Reads .vtu, .vtp and .vti files with the standard library alone and prints every array: section, name, type, values, SHA-256.

Independent of the C++ reader of the tests; exits with 1 and says why when a file is not valid.

    read_vtk_check.py FILE...
"""

import hashlib
import math
import struct
import sys
import xml.etree.ElementTree as ElementTree
import zlib

SIZES = {"Float64": 8, "Int64": 8, "Int32": 4, "UInt8": 1}
CORNERS = {"Verts": 1, "Lines": 2, "Polys": 3, "Cells": 4}


def unpack(data, offset):
    """One array of the appended data, and where it ends."""
    blocks, size, last = struct.unpack_from("<3Q", data, offset)
    packed = struct.unpack_from(f"<{blocks}Q", data, offset + 24)
    at = offset + 24 + 8 * blocks
    parts = []
    for i, length in enumerate(packed):
        part = zlib.decompress(data[at : at + length])
        expected = last if i == blocks - 1 and last else size
        if len(part) != expected:
            raise ValueError(f"block of {len(part)} bytes where {expected} were announced")
        parts.append(part)
        at += length
    return b"".join(parts), at


def check_cells(section, arrays, points):
    """Connectivity and offsets of one kind of cell; returns how many cells there are."""
    connectivity, offsets = arrays["connectivity"], arrays["offsets"]
    corners = struct.unpack(f"<{len(connectivity) // 8}q", connectivity)
    ends = struct.unpack(f"<{len(offsets) // 8}q", offsets)
    step = CORNERS.get(section, 1)
    if list(ends) != list(range(step, step * len(ends) + 1, step)) or len(corners) != step * len(ends):
        raise ValueError(f"{section}: offsets and connectivity do not fit")
    if any(not 0 <= corner < points for corner in corners):
        raise ValueError(f"{section}: a corner is not a point")
    if "types" in arrays and arrays["types"] != b"\x0a" * len(ends):
        raise ValueError("expected tetrahedra only")
    return len(ends)


def check(path):
    content = open(path, "rb").read()
    mark = b'<AppendedData encoding="raw">\n_'
    begin = content.index(mark) + len(mark)
    end = content.rindex(b"\n</AppendedData>")
    root = ElementTree.fromstring(content[:begin] + content[end:])
    if root.attrib["header_type"] != "UInt64" or root.attrib["byte_order"] != "LittleEndian":
        raise ValueError("unexpected header_type or byte_order")
    data = content[begin:end]
    piece = root.find(root.attrib["type"]).find("Piece")
    cells = found = used = 0
    if root.attrib["type"] == "ImageData":
        extent = [int(i) for i in piece.attrib["Extent"].split()]
        points = math.prod(last - first + 1 for first, last in zip(extent[::2], extent[1::2]))
    else:
        points = int(piece.attrib["NumberOfPoints"])
        cells = sum(int(value) for name, value in piece.attrib.items() if name != "NumberOfPoints")
    counts = {"PointData": points, "Points": points, "CellData": cells}
    for section in piece:
        arrays = {}
        for array in section:
            values, used = unpack(data, int(array.attrib["offset"]))
            tuple_size = SIZES[array.attrib["type"]] * int(array.attrib.get("NumberOfComponents", 1))
            if section.tag in counts and len(values) != tuple_size * counts[section.tag]:
                raise ValueError(f"{section.tag}/{array.attrib['Name']}: wrong length {len(values)}")
            arrays[array.attrib["Name"]] = values
            digest = hashlib.sha256(values).hexdigest()
            print(section.tag, array.attrib["Name"], array.attrib["type"], len(values) // tuple_size, digest)
        if "connectivity" in arrays:
            found += check_cells(section.tag, arrays, points)
    if found != cells or used != len(data):
        raise ValueError("cells or bytes left over")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        try:
            check(name)
        except (ValueError, KeyError, AttributeError, struct.error, zlib.error, ElementTree.ParseError, OSError) as fault:
            sys.exit(f"{name}: {type(fault).__name__}: {fault}")
