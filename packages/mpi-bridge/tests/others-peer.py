# What others-peer.c does, from Python: others-peer.py window|file PATH
import sys
from array import array
from mpi4py import MPI

world = MPI.COMM_WORLD
rank = world.rank
other = 1 - rank


def window():
    held, own, got = array("d", [0] * 4), array("d", [10, 11]), array("d", [0] * 2)
    win = MPI.Win.Create(held, 8, comm=world)
    win.Fence()
    win.Put([own, MPI.DOUBLE], other, [1, 2, MPI.DOUBLE])
    win.Fence()
    right = list(held)[1:] == [20, 21, 0]
    win.Accumulate([own, 1, MPI.DOUBLE], other, [0, 1, MPI.DOUBLE], MPI.SUM)
    win.Fence(MPI.MODE_NOSUCCEED)
    right = right and held[0] == 20
    world.Barrier()
    win.Lock(other, MPI.LOCK_SHARED)
    win.Get([got, MPI.DOUBLE], other, [1, 2, MPI.DOUBLE])
    win.Unlock(other)
    right = right and list(got) == [10, 11]
    world.Barrier()
    win.Free()
    return right


def file():
    own, got = array("d", [100 * rank + i for i in range(4)]), array("d", [0] * 4)
    every = MPI.DOUBLE.Create_vector(4, 1, 2).Commit()
    handle = MPI.File.Open(world, sys.argv[2], MPI.MODE_CREATE | MPI.MODE_RDWR)
    handle.Set_view(8 * rank, MPI.DOUBLE, every)
    handle.Write_at_all(0, own)
    handle.Sync()
    world.Barrier()
    handle.Set_view(8 * other, MPI.DOUBLE, every)
    handle.Read_at_all(0, got)
    handle.Close()
    return list(got) == [100 * other + i for i in range(4)]


right = window() if sys.argv[1] == "window" else file()
print(f"Python: {sys.argv[1]} is {'right' if right else 'wrong'}", flush=True)
sys.exit(0 if right else 1)
