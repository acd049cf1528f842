import { DatatypeError } from "../errors.js";
import { quoted } from "../checks/quoted.js";
import { requireInteger } from "./require-integer.js";
import type { Darray } from "./datatype.js";

export function requireDargs(dargs: readonly (number | null)[]): readonly (number | null)[] {
  if (!Array.isArray(dargs)) {
    const expected = "a list of integers or null";
    throw new DatatypeError({ path: "dargs", subject: "distribution arguments", expected, got: quoted(dargs) });
  }
  const checked = Array.from(dargs, (darg: number | null, i) =>
    darg === null ? null : requireInteger(darg, `dargs[${i}]`, "distribution argument", 1),
  );
  return Object.freeze(checked);
}

/** What MPI 4.1, section 5.1.4, demands of dimensions, grid and distribution arguments together. */
export function requireGrid(share: Darray): void {
  if (share.gsizes.length === 0) {
    throw new DatatypeError({ path: "gsizes", subject: "dimensions of array", expected: "1 or more", got: "0" });
  }
  share.gsizes.forEach((_, dimension) => requireDimension(share, dimension));
  const processes = share.psizes.reduce((product, along) => product * along, 1);
  if (processes !== share.size) {
    const expected = `a product equal to size, ${share.size}`;
    throw new DatatypeError({ path: "psizes", subject: "process grid", expected, got: String(processes) });
  }
}

function requireDimension(share: Darray, dimension: number): void {
  const gsize = share.gsizes[dimension] as number;
  const psize = share.psizes[dimension] as number;
  const darg = share.dargs[dimension] as number | null;
  const distribution = share.distribs[dimension];
  if (distribution === "none" && psize !== 1) {
    const path = `psizes[${dimension}]`;
    const expected = "1 where the dimension is not distributed";
    throw new DatatypeError({ path, subject: "processes along a dimension", expected, got: String(psize) });
  }
  if (distribution === "block" && darg !== null && darg * psize < gsize) {
    const path = `dargs[${dimension}]`;
    const expected = `at least ${Math.ceil(gsize / psize)}, so that ${psize} blocks hold ${gsize} elements`;
    throw new DatatypeError({ path, subject: "distribution argument", expected, got: String(darg) });
  }
}
