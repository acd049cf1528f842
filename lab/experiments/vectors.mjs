import { applicationPlots } from "../dist/applications/application-plots.js";
import { applicationsText } from "../dist/applications/applications-text.js";
import { rowsWithWays } from "../dist/applications/row.js";
import { runVector } from "../dist/applications/vectors.js";
import { application, requireTwo } from "../dist/applications/world.js";

const MOST_BLOCK_BYTES = 256;
const SIZES = [10, 12, 14, 16, 18, 20, 22].map((power) => 2 ** power);

export default application(
  {
    name: "vectors",
    question:
      "How long does a vector take from rank to rank by each way? (Jenkins et al. 2014, figure 6; Pearson et al. 2021, figure 11)",
    kind: "times",
    options: {
      blocks: { kind: "numbers", says: "bytes of a block", byDefault: [8, 32, 128] },
      size: { kind: "bytes", says: "packed bytes, several by commas" },
    },
    trial: { device: "cuda", simulated: true, blocks: [8], size: [1024], iterations: 2 },
  },
  function* ({ mpi, comm, direct, platform }, { blocks, size, iterations }) {
    requireTwo("vectors", comm);
    const few = platform.kind === "simulated";
    for (const blockBytes of blocks)
      for (const packedBytes of size ?? (few ? [2 ** 10, 2 ** 14] : SIZES)) {
        if (packedBytes % blockBytes !== 0 || blockBytes > MOST_BLOCK_BYTES)
          throw new Error(
            `--blocks: expected bytes that divide ${packedBytes}, ${MOST_BLOCK_BYTES} at most, got ${blockBytes}`,
          );
        const given = { blockBytes, packedBytes, iterations: iterations ?? (few ? 2 : 30) };
        yield { label: { workload: "vectors" }, measure: () => runVector(mpi, { comm, direct }, platform, given) };
      }
  },
  {
    text: (rows) => applicationsText(rowsWithWays(rows)),
    plot: (rows) => applicationPlots(rowsWithWays(rows)),
  },
);
