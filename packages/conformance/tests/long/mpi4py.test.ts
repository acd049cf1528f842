import { boundsOf, parseDatatype } from "@stowage/ir";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { referencePack } from "../../src/reference/reference-pack.js";

/** Debian's, for which its python3-mpi4py is built. */
const PYTHON = "/usr/bin/python3";
const RECIPE = new URL("../../../../docs/guide/live-types.md", import.meta.url);
const BUFFER = Uint8Array.from({ length: 1024 }, (_, i) => (i * 131 + 7) & 255);

/** Datatypes by each constructor, as they are, and what the MPI says and sends of them. */
const PROGRAM = `
D, B = MPI.DOUBLE, MPI.BYTE
nested = D.Create_vector(2, 1, 3).Create_resized(0, 48)
types = [
    D, D.Dup(), D.Create_contiguous(5), D.Create_vector(3, 2, 5), D.Create_hvector(3, 2, 40),
    D.Create_indexed([2, 1], [0, 7]), D.Create_hindexed([2, 1], [0, 56]),
    D.Create_indexed_block(2, [0, 7]), D.Create_hindexed_block(2, [0, 56]),
    MPI.Datatype.Create_struct([1, 2, 1], [0, 8, 64], [D, MPI.INT, nested]),
    B.Create_subarray([4, 4], [2, 2], [1, 1], MPI.ORDER_F), MPI.SHORT.Create_subarray([4, 6], [2, 3], [1, 2], MPI.ORDER_C),
    B.Create_darray(4, 1, [8, 8], [MPI.DISTRIBUTE_BLOCK, MPI.DISTRIBUTE_CYCLIC],
                    [MPI.DISTRIBUTE_DFLT_DARG, 2], [2, 2], MPI.ORDER_C),
    nested.Create_indexed([1, 2], [3, 0]), D.Create_resized(-4, 32),
]
buffer = bytearray((i * 131 + 7) & 255 for i in range(1024))
for datatype in types:
    packed = bytearray(datatype.Get_size())
    if not datatype.is_predefined:
        datatype.Commit()
    MPI.COMM_SELF.Sendrecv([buffer, 1, datatype], dest=0, recvbuf=[packed, len(packed), MPI.BYTE])
    lb, extent = datatype.Get_extent()
    print(json.dumps({"document": document(datatype), "lb": lb, "extent": extent, "packed": list(packed)}))
`;

interface Row {
  readonly document: unknown;
  readonly lb: number;
  readonly extent: number;
  readonly packed: readonly number[];
}

const recipe = /```python\n([\s\S]*?)```/.exec(readFileSync(RECIPE, "utf8"))?.[1] ?? "";
const [printed = "", ...lines] = execFileSync(PYTHON, ["-"], { input: recipe + PROGRAM, encoding: "utf8" })
  .trim()
  .split("\n");
const rows = lines.map((line) => JSON.parse(line) as Row);

test("the recipe prints what it says", () => {
  expect(recipe).toContain(`# ${printed}`);
  expect(rows).toHaveLength(15);
});

test.each(rows)("$document has the bounds and the packed bytes that MPI gives it", (row) => {
  const datatype = parseDatatype(row.document);
  const { lowerBoundBytes, extentBytes } = boundsOf(datatype);
  expect({ lb: lowerBoundBytes, extent: extentBytes }).toEqual({ lb: row.lb, extent: row.extent });
  expect([...referencePack(datatype, { bytes: BUFFER })]).toEqual(row.packed);
});
