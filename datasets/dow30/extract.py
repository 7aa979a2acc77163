#!/usr/bin/env python3
"""Writes dow30.csv from Debian's package r-cran-fbasics, which holds the R data set DowJones30.

    apt-get download r-cran-fbasics && dpkg -x r-cran-fbasics_*.deb unpacked
    python3 datasets/dow30/extract.py unpacked/usr/lib/R/site-library/fBasics/data > datasets/dow30/dow30.csv

Needs nothing but the standard library. R keeps the data of a package in two files: Rdata.rdx is a compressed list that
says at which offset of Rdata.rdb a variable begins and how long it is; there stand the length of its value (4 bytes,
big-endian) and the value, serialised in XDR and compressed by zlib.
"""
import csv
import struct
import sys
import zlib
from pathlib import Path

# Types of R's serialisation (R Internals, section 1.8).
SYMBOL, PAIRLIST, CHARS, LOGICALS, INTEGERS, REALS, STRINGS, LIST = 1, 2, 9, 10, 13, 14, 16, 19
NIL, REFERENCE = 254, 255
HAS_ATTRIBUTES, HAS_TAG = 0x200, 0x400


class Reader:
    """Reads one value of R's XDR format; a vector with attributes becomes a pair (values, attributes)."""

    def __init__(self, data):
        if data[:2] != b"X\n":
            raise ValueError("the value is not in R's XDR format")
        self.data, self.position, self.symbols = data, 2, []
        version, _, _ = self.numbers("i", 3)
        if version == 3:
            self.bytes(self.integer())  # the native encoding

    def bytes(self, count):
        self.position += count
        return self.data[self.position - count:self.position]

    def numbers(self, kind, count):
        form = f">{count}{kind}"
        return list(struct.unpack(form, self.bytes(struct.calcsize(form))))

    def integer(self):
        return self.numbers("i", 1)[0]

    def value(self):
        flags = self.integer()
        kind = flags & 0xFF
        if kind == NIL:
            return None
        if kind == REFERENCE:
            return self.symbols[(flags >> 8) - 1]
        if kind == SYMBOL:
            self.symbols.append(self.value())
            return self.symbols[-1]
        if kind == CHARS:
            length = self.integer()
            return None if length < 0 else self.bytes(length).decode()
        if kind == PAIRLIST:
            return self.pairs(flags)
        values = self.vector(kind)
        return (values, self.value()) if flags & HAS_ATTRIBUTES else values

    def pairs(self, flags):
        pairs = {}
        while flags & 0xFF == PAIRLIST:
            if flags & HAS_ATTRIBUTES:
                self.value()
            name = self.value() if flags & HAS_TAG else len(pairs)
            pairs[name] = self.value()
            flags = self.integer()
        return pairs

    def vector(self, kind):
        length = self.integer()
        if kind in (INTEGERS, LOGICALS):
            return self.numbers("i", length)
        if kind == REALS:
            return self.numbers("d", length)
        if kind in (STRINGS, LIST):
            return [self.value() for _ in range(length)]
        raise ValueError(f"type {kind} of R's serialisation is not known to this script")


def variable(folder, name):
    """Returns one variable of a package's data folder."""
    index, attributes = Reader(zlib.decompress((folder / "Rdata.rdx").read_bytes(), 47)).value()
    parts = dict(zip(attributes["names"], index))
    variables, attributes = parts["variables"]
    offset, length = dict(zip(attributes["names"], variables))[name]
    stored = (folder / "Rdata.rdb").read_bytes()[offset:offset + length]
    return Reader(zlib.decompress(stored[4:])).value()


def main():
    columns, attributes = variable(Path(sys.argv[1]), "DowJones30")
    names = attributes["names"]
    days = columns[0]
    if isinstance(days, tuple):  # a factor: numbers and the texts they stand for
        days = [days[1]["levels"][k - 1] for k in days[0]]
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["date"] + names[1:])
    for row, day in enumerate(days):
        writer.writerow([day[:10]] + [f"{column[row]:.15g}" for column in columns[1:]])


if __name__ == "__main__":
    main()
