"""Reads traces in Perfetto's protobuf format, knowing only the wire format."""

import collections

Slice = collections.namedtuple("Slice", "thread name category begin end arguments")

# Field numbers in Perfetto's trace_packet.proto and the files that it includes
PACKET, TIMESTAMP, EVENT, DESCRIPTOR = 1, 8, 11, 60


def fields(data):
    """(number, value) of each field of a message; values are whole numbers, or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 2:
            length = varint()
            if at + length > len(data):
                raise ValueError("a message ends too early")
            yield key >> 3, data[at:at + length]
            at += length
        else:
            raise ValueError("a field of wire type %d" % (key & 7))


def arguments_of(event):
    found = {}
    for number, value in event:
        if number == 4:
            annotation = dict(fields(value))
            found[annotation[10].decode()] = annotation[3] if 3 in annotation else annotation[6].decode()
    return found


class Trace:
    """tracks: names by number; processes: the same; slices; instants: (thread, name, arguments)."""

    def __init__(self, path):
        self.tracks, self.processes, self.slices, self.instants = {}, {}, [], []
        with open(path, "rb") as file:
            data = file.read()
        open_slices = {}
        for number, packet in fields(data):
            if number != PACKET:
                raise ValueError("a trace has field %d" % number)
            packet = dict(fields(packet))
            if DESCRIPTOR in packet:
                self.take_descriptor(dict(fields(packet[DESCRIPTOR])))
            elif EVENT in packet:
                self.take_event(list(fields(packet[EVENT])), packet[TIMESTAMP], open_slices)
        if open_slices:
            raise ValueError("slices without an end: %r" % open_slices)

    def take_descriptor(self, descriptor):
        if 3 in descriptor:
            self.processes[descriptor[1]] = dict(fields(descriptor[3]))[6].decode()
        else:
            assert descriptor[5] in self.processes
            self.tracks[descriptor[1]] = dict(fields(descriptor[4]))[5].decode()

    def take_event(self, event, time, open_slices):
        values = dict(event)
        thread = self.tracks[values[11]]
        if values[9] == 1:
            assert thread not in open_slices, "slices of one thread do not nest"
            open_slices[thread] = (values, arguments_of(event), time)
        elif values[9] == 2:
            begun, arguments, begin = open_slices.pop(thread)
            self.slices.append(Slice(thread, begun[23].decode(), begun[22].decode(), begin, time, arguments))
        else:
            self.instants.append((thread, values[23].decode(), arguments_of(event)))

    def counts(self):
        """The number of slices by thread and name"""
        return collections.Counter((one.thread, one.name) for one in self.slices)
