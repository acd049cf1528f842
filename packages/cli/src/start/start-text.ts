import { meanOf, significant, type ResultRow } from "@stowage/bench";
import { cellRatios, partsOf, type CellRatio } from "../tables/ratios.js";

/**
 * What a first run found, in five sentences for a reader who knows neither the tool nor its tables: what was checked,
 * how near a plain copy's speed is and why it bounds ours, what each MPI here takes beside ours, and what to try next.
 */
export function startText(rows: readonly ResultRow[], differences: readonly string[]): readonly string[] {
  const parts = partsOf(rows);
  const ratios = parts.ours.flatMap((ours) => cellRatios(rows, ours, parts));
  return [
    checkedText(rows, differences),
    copyText(ratios),
    mpisText(ratios, parts.mpis),
    "Next, for an MPI program as it is: npx stowage run -- mpirun -n 4 ./app",
    "In a program of yours: npm install @stowage/selector, and docs/guide/first-hour.md; one datatype: npx stowage explain MILC_su3_zdown/0",
  ];
}

function checkedText(rows: readonly ResultRow[], differences: readonly string[]): string {
  const all = new Set(rows.map(({ workload }) => workload)).size;
  const outcome =
    differences.length === 0
      ? "every byte was right"
      : `other bytes came out in ${differences.length} more cells, named above`;
  return `Stowage packed and unpacked ${all} ${all === 1 ? "datatype" : "datatypes"} of real programs (DDTBench) here: ${outcome}.`;
}

function copyText(ratios: readonly CellRatio[]): string {
  const pack = speedText(ratios, "memcpy", "pack");
  const unpack = speedText(ratios, "memcpy", "unpack");
  return (
    `Packing ran at ${pack} of the speed of one memcpy of the same bytes, unpacking at ${unpack}: ` +
    "memcpy is the bound, since its bytes lie in one piece and a datatype's lie in many, each in a cache line of its own."
  );
}

function mpisText(ratios: readonly CellRatio[], mpis: readonly string[]): string {
  if (mpis.length === 0)
    return "No MPI was found here to compare with: apt-get install openmpi-bin mpich, then run this again.";
  const each = mpis.map(
    (mpi) =>
      `${speedText(ratios, mpi, "pack")} times as fast as ${nameText(mpi)} packing, ${speedText(ratios, mpi, "unpack")} unpacking`,
  );
  return `Ours was ${each.join("; ")} (MPI_Pack and MPI_Unpack called from C, geometric means).`;
}

function speedText(ratios: readonly CellRatio[], against: string, direction: ResultRow["direction"]): string {
  const chosen = ratios.filter((one) => one.against === against && one.cell.direction === direction);
  const mean = meanOf(chosen.map(({ ratio }) => ratio));
  return mean === undefined ? "an unknown share" : significant(mean.geometricMean);
}

/** "openmpi-4.1.4" as people write it. */
const nameText = (mpi: string): string => mpi.replace(/^openmpi-/, "Open MPI ").replace(/^mpich-/, "MPICH ");
