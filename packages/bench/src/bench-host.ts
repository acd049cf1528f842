import { benchEach, type Asked, type Benched, type Item } from "./asked.js";
import { cellsOf, type Cell } from "./cell/cell.js";
import type { Contender } from "./contender.js";
import { measureCell } from "./measure-cell.js";
import { memcpyContender } from "./memcpy-contender.js";
import { sayOnce } from "./say-once.js";
import { WrongBytesError } from "./wrong-bytes-error.js";

/** What a bench of host memory is asked. */
export interface HostBench extends Asked {
  /** The contenders, of every cell or by cell; memcpy always takes part too. */
  readonly contenders: readonly Contender[] | ((cell: Cell) => readonly Contender[]);
}

/**
 * Packs and unpacks every subject by every contender on host memory, in this process: interleaved, every byte checked
 * before and after. A cell in which a contender moves other bytes has no rows, but a line among the differences. Throws
 * an ArgumentError for a subject that is unknown, or larger than 2 GiB packed.
 *
 * @example
 * ```ts
 * const { rows, differences } = await benchHost({
 *   subjects: [workloadSubject("MILC_su3_zdown/0")],
 *   contenders: [backendContender(cpuBackend)],
 *   budgetMs: 20,
 * });
 * ```
 */
export function benchHost(bench: HostBench): Promise<Benched> {
  return benchEach(bench, (item) => measureItem(bench, item));
}

function* measureItem(bench: HostBench, { name, datatype, count }: Item): Generator<Benched> {
  const remark = sayOnce((line) => bench.remark?.(`${name}: ${line}`));
  for (const cell of cellsOf(name, datatype, count)) {
    const contenders = typeof bench.contenders === "function" ? bench.contenders(cell) : bench.contenders;
    yield measured(bench, cell, [...contenders, memcpyContender], remark);
  }
}

/** One cell's rows; where a contender moved other bytes, its one line instead. */
export function measured(
  { budgetMs, modes }: Pick<Asked, "budgetMs" | "modes">,
  cell: Cell,
  contenders: readonly Contender[],
  remark: (line: string) => void,
): Benched {
  try {
    const options = { ...(budgetMs === undefined ? {} : { budgetMs }), ...(modes === undefined ? {} : { modes }) };
    const { rows, refusals } = measureCell(cell, contenders, options);
    refusals.forEach(remark);
    return { rows, differences: [] };
  } catch (error) {
    if (error instanceof WrongBytesError) return { rows: [], differences: [error.message] };
    throw error;
  }
}
