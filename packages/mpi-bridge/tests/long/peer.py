# The other end of peer.mjs in mpi4py: as peer.c.
import array

from mpi4py import MPI

BYTES, ORIGIN, COUNT = 1024, 64, 3
D, I, C = MPI.DOUBLE, MPI.INT, MPI.CHAR


def made(which):
    return [
        lambda: D.Create_contiguous(3),
        lambda: D.Create_vector(4, 2, 3),
        lambda: I.Create_indexed([2, 1, 3], [5, 0, 9]),
        lambda: MPI.Datatype.Create_struct([1, 2, 3], [0, 8, 20], [I, I, C]),
    ][which]().Commit()


def filled(seed):
    return bytearray((i * 131 + seed * 17 + 7) & 255 for i in range(BYTES))


comm = MPI.COMM_WORLD
failed = messages = 0
for route in range(2):
    for which in range(4):
        datatype = made(which)
        status = MPI.Status()
        comm.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG, status)
        count, source = status.Get_count(datatype), status.Get_source()
        got, expected, wanted, packed = filled(99), filled(99), filled(5 + which), bytearray(BYTES)
        comm.Recv([memoryview(got)[ORIGIN:], COUNT, datatype], source=MPI.ANY_SOURCE, tag=status.Get_tag())
        behind = ORIGIN + COUNT * datatype.Get_extent()[1]
        end = datatype.Pack(memoryview(wanted)[ORIGIN:behind], packed, 0, MPI.COMM_SELF)
        datatype.Unpack(packed, 0, memoryview(expected)[ORIGIN:behind], MPI.COMM_SELF)
        if count != COUNT or status.Get_tag() != which or got != expected:
            print(f"FAILED in Python: type {which}, route {route}: count {count}, tag {status.Get_tag()}")
            failed += 1
        comm.Send([memoryview(got)[ORIGIN:], COUNT, datatype], dest=source, tag=which)
        comm.Send([packed, end, MPI.PACKED], dest=source, tag=which)
        messages += 3
        datatype.Free()
one, ranks = array.array("i", [1]), array.array("i", [0])
comm.Allreduce([one, I], [ranks, I])
print(f"Python: {messages} messages, {failed} failed, {ranks[0]} ranks")
