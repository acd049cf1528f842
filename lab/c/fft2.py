# A distributed 2D FFT by mpi4py-fft, whose transposes are MPI_Alltoallw of subarrays: fft2.py SIZE SAMPLES TURNS. The MPI's own packing
# and ours take turns in one pair of processes. Prints a line of JSON: seconds of a forward and a backward transform, and those of
# them that the transposes took, of the slowest rank; the error; and the bytes by our code and natively in our turns.
import ctypes
import json
import sys
import time
import numpy
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray
from mpi4py_fft.pencil import Transfer

size, samples, turns = (int(word) for word in sys.argv[1:4])
world = MPI.COMM_WORLD
ours = ctypes.CDLL(None)
spent = 0.0


def timed(method):
    def call(*arguments):
        global spent
        start = time.perf_counter()
        method(*arguments)
        spent += time.perf_counter() - start

    return call


Transfer.forward = timed(Transfer.forward)
Transfer.backward = timed(Transfer.backward)
fft = PFFT(world, [size, size], axes=(0, 1), dtype=numpy.complex128)
field = newDistArray(fft, False)
numpy.random.seed(world.Get_rank())
field[:] = numpy.random.rand(*field.shape)
kept = field.copy()
spectrum = newDistArray(fft, True)


def transformed():
    fft.forward(field, spectrum)
    fft.backward(spectrum, field)


def counted():
    counts = (ctypes.c_uint64 * 5)()
    ours.stowage_interposer_counts(counts)
    return numpy.array(counts[:4], dtype=numpy.int64)


def sample(is_native):
    global spent
    ours.stowage_interposer_pause(1 if is_native else 0)
    world.Barrier()
    spent, start = 0.0, time.perf_counter()
    for _ in range(turns):
        transformed()
    whole = (time.perf_counter() - start) / turns
    return [world.allreduce(seconds, MPI.MAX) for seconds in (whole, spent / turns)]


# Until our code has come.
for _ in range(100):
    before = counted()
    transformed()
    if world.allreduce(int((counted() - before)[2]), MPI.SUM) == 0:
        break
    time.sleep(0.02)
times = {"native": [], "ours": []}
moved = numpy.zeros(4, dtype=numpy.int64)
for _ in range(samples):
    times["native"].append(sample(True))
    before = counted()
    times["ours"].append(sample(False))
    moved += counted() - before
moved = world.allreduce(moved, MPI.SUM)
error = world.allreduce(float(abs(numpy.asarray(field) - numpy.asarray(kept)).max()), MPI.MAX)
if world.Get_rank() == 0:
    print(json.dumps({"size": size, "error": error, "ourBytes": int(moved[1]), "nativeBytes": int(moved[3]), **times}))
