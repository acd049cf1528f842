import { benchEach, type Asked, type Benched, type Item } from "../asked.js";
import { measured } from "../bench-host.js";
import { cellsOf, type Cell } from "../cell/cell.js";
import type { Contender } from "../contender.js";
import { sayOnce } from "../say-once.js";
import { CellInput } from "./cell-input.js";
import { copyRouteContender, memcpyContender } from "./copy-contenders.js";
import type { Gpu } from "./gpu.js";
import type { DeviceRoute } from "./routes.js";

/** What a bench of a device's memory is asked. */
export interface DeviceBench extends Asked {
  /** The routes on which every cell is measured. */
  readonly routes: readonly DeviceRoute[];
  /** The contenders of a cell on a route; the driver's own copies take part too. */
  readonly contenders: (input: CellInput, cell: Cell, route: DeviceRoute) => readonly Contender[];
}

/**
 * Packs and unpacks every subject on a device's memory by every contender, beside the driver's own copies: interleaved
 * cell by cell on the same data, every byte checked before and after. A cell in which a contender moves other bytes has
 * no rows.
 */
export function benchOnDevice(gpu: Gpu, bench: DeviceBench): Promise<Benched> {
  return benchEach(bench, (item) => measureItem(gpu, bench, item));
}

/** Each contender has memory of its own, and a simulated device's is this process's. */
const MOST_SIMULATED_BYTES = 2 ** 25;

function* measureItem(gpu: Gpu, bench: DeviceBench, { name, datatype, count, subject }: Item): Generator<Benched> {
  const cells = cellsOf(name, datatype, count);
  const [first] = cells as readonly [Cell];
  const remark = sayOnce((line) => bench.remark?.(`${subject.name}: ${line}`));
  if (gpu.driver.simulated && first.pattern.sizeBytes > MOST_SIMULATED_BYTES) {
    remark(`it lies in ${first.pattern.sizeBytes} bytes, more than the ${MOST_SIMULATED_BYTES} of a simulated cell`);
    return;
  }
  using input = new CellInput(gpu, first);
  for (const cell of cells) {
    for (const route of bench.routes) {
      const contenders = [
        ...bench.contenders(input, cell, route),
        ...copyRouteContender(gpu, input, cell, route),
        memcpyContender(gpu, input, route),
      ];
      yield measured(bench, cell, contenders, remark);
    }
  }
}
