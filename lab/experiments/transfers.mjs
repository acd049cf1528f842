import { applicationPlots } from "../dist/applications/application-plots.js";
import { operationPoints, partialPoints, pointsText } from "../dist/applications/latency.js";
import { rowsWithWays } from "../dist/applications/row.js";
import { runTransfer } from "../dist/applications/transfers.js";
import { application, requireTwo } from "../dist/applications/world.js";

const SIZES = [6, 8, 10, 12, 14, 16, 18, 20, 22].map((power) => 2 ** power);

export default application(
  {
    name: "transfers",
    question: "What do bytes cost between GPU and host, and between two ranks? (Pearson et al. 2021, figure 9)",
    kind: "times",
    options: { size: { kind: "bytes", says: "bytes, several by commas" } },
    trial: { device: "cuda", simulated: true, size: [1024], iterations: 2 },
  },
  function* ({ mpi, comm, direct, platform }, { size, iterations }) {
    requireTwo("transfers", comm);
    const few = platform.kind === "simulated";
    for (const bytes of size ?? (few ? [2 ** 10, 2 ** 14] : SIZES)) {
      const measure = () => runTransfer(mpi, { comm, direct }, platform, bytes, iterations ?? (few ? 2 : 50));
      yield { label: { workload: "transfers" }, measure };
    }
  },
  {
    text(rows) {
      const operations = operationPoints(rowsWithWays(rows));
      const [whole, partial] = [operations, partialPoints(operations)];
      return [
        pointsText("Four operations (TEMPI, figure 9a)", whole),
        pointsText("Equations 1 to 3 without packing (TEMPI, figure 9b)", partial),
      ].join("\n\n");
    },
    plot: (rows) => applicationPlots(rowsWithWays(rows)),
  },
);
