import { hindexed, predefined } from "@stowage/ir";
import { cellApart, contendersApart } from "../parts/apart.mjs";
import { onGpu, SIMULATED } from "../parts/device.mjs";
import { backendsIn, TIERS } from "../parts/generic-tunings.mjs";

const FIELDS = 8;
const FLOAT_BYTES = 4;
/** So that no field continues another. */
const GAP_BYTES = 256;

export default {
  name: "generic-hacc",
  question: "What does one launch over eight arrays gain over one copy a field and a CPU's? (TPDS 2014, section 5.2)",
  kind: "moves",
  options: {
    ...SIMULATED,
    particles: { kind: "numbers", says: "floats a field", byDefault: [100, 1000, 10_000, 100_000, 1_000_000] },
  },
  trial: { simulated: true, particles: [100] },
  *cells(given, lab) {
    yield* onGpu(given, lab, function* (gpu) {
      const backends = backendsIn(gpu.driver, TIERS);
      for (const particles of given.particles) {
        const fields = Array.from({ length: FIELDS }, (_, i) => i * (particles * FLOAT_BYTES + GAP_BYTES));
        const lengths = fields.map(() => particles);
        const datatype = hindexed(lengths, fields, predefined("MPI_FLOAT"));
        for (const cell of cellApart(gpu, "hacc-fields", datatype, { count: particles })) yield { ...cell, backends };
      }
    });
  },
  contenders(cell) {
    const { originBytes, scattered } = cell.cell;
    const fields = cell.regions.map(({ startBytes, buffer }) =>
      scattered.slice(originBytes + startBytes, originBytes + startBytes + buffer.sizeBytes),
    );
    const onHost = ({ bytes }) => ({ cpu: () => fields.forEach((field, i) => bytes.set(field, i * field.length)) });
    return contendersApart(cell, cell.backends, onHost);
  },
};
