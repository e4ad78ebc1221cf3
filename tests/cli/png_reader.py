"""Reads the 8-bit RGB and RGBA pictures that `stickslip render` writes."""

import struct
import zlib


class Picture:
    def __init__(self, path):
        data = path.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is no PNG"
        packed, at = b"", 8
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at : at + 8])
            body = data[at + 8 : at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, depth, colour = struct.unpack(">IIBB", body[:10])
                assert depth == 8 and colour in (2, 6), f"{path} is not 8-bit RGB or RGBA"
                self.channels = 4 if colour == 6 else 3
            if kind == b"IDAT":
                packed += body
            at += 12 + length
        self.rows = self._unfilter(zlib.decompress(packed))

    def _unfilter(self, raw):
        n = self.channels
        stride, rows = n * self.width, []
        above = bytearray(stride)
        for y in range(self.height):
            kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
            for i in range(stride):
                left = line[i - n] if i >= n else 0
                corner = above[i - n] if i >= n else 0
                line[i] = (line[i] + self._predicted(kind, left, above[i], corner)) & 255
            rows.append(line)
            above = line
        return rows

    @staticmethod
    def _predicted(kind, left, up, corner):
        if kind == 4:
            return min((left, up, corner), key=lambda v: abs(left + up - corner - v))
        return (0, left, up, (left + up) // 2)[kind]

    def pixel(self, x, y):
        at = self.channels * x
        return tuple(self.rows[y][at : at + 3])

    def alpha(self, x, y):
        return self.rows[y][self.channels * x + 3] if self.channels == 4 else 255

    def pixels(self):
        return [self.pixel(x, y) for y in range(self.height) for x in range(self.width)]

    def coloured(self, hue):
        """Places of the pixels in which the channel `hue` (0, 1, 2) stands out."""
        found = []
        for y in range(self.height):
            for x in range(self.width):
                p = self.pixel(x, y)
                if p[hue] > max(p[c] for c in range(3) if c != hue) + 40:
                    found.append((x, y))
        return found
