/** Python of every module that launches kernels: what refuses in a line. */
export const PYTHON_CHECKS = `def _must(result, call):
    if result != 0:
        raise RuntimeError(f"{call}: expected 0, got CUDA's error {result}")


def _require(holds, subject, expected, got):
    if not holds:
        raise ValueError(f"{subject}: expected {expected}, got {got}")
`;

/** Python that writes the records of a launch. */
export const PYTHON_RECORDS = `def _relocated(nodes, at):
    """Nodes whose children count from the block's start."""
    moved = bytearray(nodes)
    for node in range(0, len(moved), _NODE_BYTES):
        place, size = _NODE["child"]
        child = int.from_bytes(moved[node + place:node + place + size], "little") + at
        moved[node + place:node + place + size] = child.to_bytes(size, "little")
    return bytes(moved)


def _put(block, at, record, **fields):
    """Fields of a record that begins at a byte of the block."""
    for name, value in fields.items():
        place, size = record[name]
        block[at + place:at + place + size] = (value % (1 << 8 * size)).to_bytes(size, "little")
`;

/** Python that brings a kernel and its tables to the device, once each. */
export const PYTHON_LOADING = `def _loaded(ptx, entry):
    """The function of one kernel's text."""
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    _must(_CUDA.cuModuleLoadData(ctypes.byref(module), ptx.encode()), "cuModuleLoadData")
    _must(_CUDA.cuModuleGetFunction(ctypes.byref(function), module, entry.encode()), "cuModuleGetFunction")
    return function


def _uploaded(data):
    """Where a copy of bytes lies on the device; 0 where there are none."""
    if len(data) == 0:
        return 0
    address, size = ctypes.c_uint64(), ctypes.c_size_t(len(data))
    _must(_CUDA.cuMemAlloc_v2(ctypes.byref(address), size), "cuMemAlloc")
    _must(_CUDA.cuMemcpyHtoD_v2(address, data, size), "cuMemcpyHtoD")
    return address.value
`;
