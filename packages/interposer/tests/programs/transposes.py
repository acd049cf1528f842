# A distributed FFT there and back, whose transposes are MPI_Alltoallw of subarrays: the error, and where the time went.
import sys
import time
import numpy
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray

size, turns = int(sys.argv[1]), int(sys.argv[2])
world = MPI.COMM_WORLD
fft = PFFT(world, [size, size, size], axes=(0, 1, 2), dtype=numpy.complex128)
field = newDistArray(fft, False)
numpy.random.seed(world.Get_rank())
field[:] = numpy.random.rand(*field.shape)
kept = field.copy()
spectrum = newDistArray(fft, True)
fft.backward(fft.forward(field, spectrum), field)
world.Barrier()
start = time.perf_counter()
for _ in range(turns):
    fft.forward(field, spectrum)
    fft.backward(spectrum, field)
elapsed = world.allreduce(time.perf_counter() - start, MPI.MAX) / turns
error = world.allreduce(float(abs(numpy.asarray(field) - numpy.asarray(kept)).max()), MPI.MAX)
if world.Get_rank() == 0:
    print("right" if error < 1e-10 else "wrong")
    print(f"{elapsed * 1e3:.3f} ms", file=sys.stderr)
