# The other end of python-peer.mjs, in mpi4py.
from array import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
numbers = array("d", [0.0] * 4)
comm.Recv([numbers, 4, MPI.DOUBLE], source=0, tag=7)
print("Python: Node's diagonal is", *numbers, flush=True)
comm.Send([array("d", [2 * x for x in numbers]), 4, MPI.DOUBLE], dest=0, tag=8)
