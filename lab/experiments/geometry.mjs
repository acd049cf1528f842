import { conditions, packMove, unpackMove } from "@stowage/backend-api";
import { TARGETS, targetHere, X64Backend } from "@stowage/backend-x64";
import { dense, stream } from "@stowage/ir";
import { DIRECTIONS } from "../parts/host.mjs";
import { blocksAt, elementOf, optionsExperiment } from "../parts/options-race.mjs";

const own = targetHere();
/** The last is of a processor that nobody has described. */
const { geometry: unknown } = TARGETS.at(-1);
const withGeometry = (geometry) => ({ target: { ...own, geometry: { ...own.geometry, ...geometry } } });
/**
 * With one size each of a processor that nobody has described, which may be this one's too; with half of this one's
 * ways; and with what the formulas leave out.
 */
const OTHERS = {
  "half of the L1d's ways": withGeometry({ l1d: { ...own.geometry.l1d, ways: own.geometry.l1d.ways / 2 } }),
  "an undescribed L1d": withGeometry({ l1d: unknown.l1d }),
  "an undescribed dTLB": withGeometry({ dtlbPages: unknown.dtlbPages }),
  "a reach of half of the whole L2": { prefetchReachBytes: own.geometry.l2Bytes / 2 },
};

/** Columns of matrices whose columns or rows are near powers of two, and blocks. */
function* roots() {
  for (const bytes of [8, 4, 16])
    for (const rows of [256, 510, 512, 514, 516, 520, 1024, 1026])
      for (const columns of [64, 128])
        for (const row of [columns, 512, 514])
          yield [
            `${rows} x ${columns} of ${bytes} bytes, rows of ${row}`,
            stream(columns, bytes, stream(rows, row * bytes, dense(bytes))),
          ];
  for (const count of [600, 1500, 4600, 6000, 8000, 10000, 20000])
    for (const stride of [64, 128, 320, 512, 1032, 2048, 4096, 4112, 6144, 6560, 16400])
      for (const bytes of [8, 24])
        if (count * stride <= 2 ** 28)
          yield [`${count} blocks of ${bytes} at ${stride}`, blocksAt(count, bytes, stride)];
}

const codeOf = (options, move) => Buffer.from(new X64Backend(options).compile([move], conditions()).payload.code);

export default optionsExperiment({
  name: "geometry",
  question: "What does each size of this processor's description gain, where the code differs?",
  rounds: 11,
  *shapes() {
    for (const [workload, root] of roots()) {
      const type = elementOf(root);
      for (const direction of DIRECTIONS) {
        const move = (direction === "pack" ? packMove : unpackMove)(type);
        const code = codeOf({}, move);
        const differing = Object.entries(OTHERS).filter(([, options]) => !code.equals(codeOf(options, move)));
        if (differing.length === 0) continue;
        yield { workload, type, directions: [direction], contenders: { own: {}, ...Object.fromEntries(differing) } };
      }
    }
  },
});
