"""Uses a module of GPU kernels on a stub of libcuda, whose device memory is the host's: NumPy arrays then stand for CuPy's."""
import numpy as np
from columns import column, listed


class DeviceArray:
    """What CuPy's arrays say of themselves, over memory of NumPy's."""

    def __init__(self, array):
        self.array = array
        interface = array.__array_interface__
        self.__cuda_array_interface__ = {name: interface[name] for name in ("shape", "typestr", "data", "strides")}


def on_device(array):
    return DeviceArray(np.ascontiguousarray(array))


matrix = np.arange(24, dtype=np.float64).reshape(4, 6)
device = on_device(matrix)
for shift in range(6):
    packed = on_device(np.zeros(4))
    column.pack(device, packed, origin=8 * shift)
    assert (packed.array == matrix[:, shift]).all()
    back = on_device(np.zeros((4, 6)))
    column.unpack(packed, back, origin=8 * shift)
    assert (back.array[:, shift] == matrix[:, shift]).all() and back.array.sum() == matrix[:, shift].sum()
part = on_device(np.zeros(13, dtype=np.uint8))
column.pack(device, part, first=5, length=13)
assert bytes(part.array) == matrix[:, 0].tobytes()[5:18]
some = on_device(np.zeros(3))
listed.pack(device, some)
assert (some.array == matrix.reshape(-1)[[5, 0, 9]]).all()


def refused(text, call):
    try:
        call()
    except ValueError as error:
        assert text in str(error), str(error)
        return
    raise AssertionError(f"not refused: {text}")


refused("source: expected an array with a __cuda_array_interface__, got ndarray", lambda: column.pack(matrix, packed))
refused("target: expected 32 bytes, got 24", lambda: column.pack(device, some))
refused("source: expected bytes within [0, 192)", lambda: column.pack(device, packed, origin=48))
print("done")
