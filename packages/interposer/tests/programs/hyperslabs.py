# Datasets of strided hyperslabs, written and read by all ranks through parallel HDF5: hyperslabs.py FILE [ROWS COLUMNS],
# those of a rank. Prints a hash of the file and of what was read, which is the same natively and by our code, and as an
# error the seconds of writing and reading.
import contextlib
import hashlib
import sys
import time

import h5py
import numpy
from mpi4py import MPI

DATASETS = 12
ROWS, COLUMNS = (int(word) for word in sys.argv[2:4] or (24, 48))
world = MPI.COMM_WORLD
rank, ranks = world.Get_rank(), world.Get_size()
digest = hashlib.sha256()

# Every third column of this rank's rows, out of every second column of memory: gaps on both sides.
in_file = (slice(rank * ROWS, (rank + 1) * ROWS), slice(1, COLUMNS, 3))
in_memory = (slice(0, ROWS), slice(0, 2 * len(range(1, COLUMNS, 3)), 2))
shape = (ROWS, 2 * len(range(1, COLUMNS, 3)))

start = time.perf_counter()
with h5py.File(sys.argv[1], "w", driver="mpio", comm=world) as file:
    for i in range(DATASETS):
        kind = (numpy.float64, numpy.int32, numpy.float32)[i % 3]
        dataset = file.create_dataset(f"{i}", (ranks * ROWS, COLUMNS), dtype=kind, fillvalue=i)
        memory = (numpy.arange(shape[0] * shape[1]).reshape(shape) * (rank + 1) + i).astype(kind)
        with dataset.collective if i % 2 == 0 else contextlib.nullcontext():
            dataset.write_direct(memory, in_memory, in_file)
    file.flush()
    world.Barrier()
    written = time.perf_counter()
    for i in range(DATASETS):
        dataset = file[f"{i}"]
        back = numpy.full(shape, 7, dataset.dtype)
        dataset.read_direct(back, in_file, in_memory)
        digest.update(back.tobytes())
    read = time.perf_counter()

whole = world.gather(digest.hexdigest())
if rank == 0:
    with open(sys.argv[1], "rb") as file:
        print(hashlib.sha256(file.read() + "".join(whole).encode()).hexdigest())
    print(f"written in {written - start:.9f} s, read in {read - written:.9f} s", file=sys.stderr)
