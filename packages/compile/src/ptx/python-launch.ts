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
