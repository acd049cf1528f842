import { MODES, modeOf, type CellMode, type ResultRow } from "@stowage/bench";

/** Up to here what a call costs besides moving bytes shows; beyond it, the memory does. */
const CALLS_UP_TO_BYTES = 64 * 1024;

/** The mode that tables lead with: what an application calls, for messages that are short. */
export const leadingModeOf = ({ packedBytes }: ResultRow): CellMode =>
  packedBytes <= CALLS_UP_TO_BYTES ? "call" : "bound";

/** The rows of a cell's leading mode where it was measured, else those of the other mode. */
export function leadingRows(rows: readonly ResultRow[]): readonly ResultRow[] {
  const measured = new Set(rows.map((row) => `${sizeKey(row)} ${modeOf(row)}`));
  return rows.filter((row) => {
    const leading = leadingModeOf(row);
    return modeOf(row) === (measured.has(`${sizeKey(row)} ${leading}`) ? leading : otherThan(leading));
  });
}

const sizeKey = ({ workload, count, packedBytes }: ResultRow): string => JSON.stringify([workload, count, packedBytes]);
const otherThan = (mode: CellMode): CellMode => MODES.find((other) => other !== mode) as CellMode;
