# Exchanges through mpi4py: a column of a matrix, a box, a struct; prints a hash that is the same natively and by our code.
import hashlib
import numpy
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.Get_rank(), world.Get_size()
digest = hashlib.sha256()
for turn in range(100):
    column = MPI.DOUBLE.Create_vector(64, 1, 64).Commit()
    box = MPI.INT.Create_subarray([16, 16, 16], [4, 5, 6], [3, 2, 1]).Commit()
    struct = MPI.Datatype.Create_struct([1, 3], [0, 8], [MPI.INT, MPI.DOUBLE]).Create_resized(0, 40).Commit()
    for datatype, items in ((column, 1), (box, 1), (struct, 32)):
        sent = numpy.arange(8192, dtype=numpy.float64) + rank + turn
        received = numpy.zeros_like(sent)
        world.Sendrecv([sent, items, datatype], (rank + 1) % ranks, 1, [received, items, datatype], (rank - 1) % ranks, 1)
        digest.update(received.tobytes())
        datatype.Free()
total = world.gather(digest.hexdigest())
if rank == 0:
    print(hashlib.sha256("".join(total).encode()).hexdigest())
