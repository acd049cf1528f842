"""Uses a module that stowage compile wrote: a column of a 4 x 6 matrix, and four doubles side by side."""
import numpy as np
from columns import column, other

matrix = np.arange(24, dtype=np.float64).reshape(4, 6)
assert column.size == 32 and column.extent == 152, (column.size, column.extent)
packed = column.pack(matrix, np.empty(4), origin=16)
assert (packed == matrix[:, 2]).all()
assert (np.frombuffer(column.pack(matrix), dtype=np.float64) == matrix[:, 0]).all()
part = column.pack(matrix, np.empty(2), first=8, length=16)
assert (part == matrix[1:3, 0]).all()
zeros = np.zeros((4, 6))
column.unpack(packed, zeros, origin=40)
assert (zeros[:, 5] == packed).all() and zeros[:, :5].sum() == 0
assert (column.copy(matrix, np.empty(4), origin=8) == matrix[:, 1]).all()
other.copy(packed, zeros)
assert (zeros[:, 0] == packed).all()


def refused(text, call):
    try:
        call()
    except ValueError as error:
        assert text in str(error), str(error)
        return
    raise AssertionError(f"not refused: {text}")


refused("source: expected bytes within [0, 192), got [48, 200)", lambda: column.pack(matrix, origin=48))
refused("target: expected 32 bytes, got 24", lambda: column.pack(matrix, np.empty(3)))
refused("range: expected bytes within [0, 32)", lambda: column.pack(matrix, first=24, length=16))
refused("count: expected 0 or more", lambda: column.pack(matrix, count=-1))
refused("got a strided view", lambda: column.pack(matrix[:, ::2]))
matrix.flags.writeable = False
refused("expected memory that may be written", lambda: column.unpack(packed, matrix))
print("done")
