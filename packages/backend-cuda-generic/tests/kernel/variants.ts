import { everyPair } from "@stowage/ptx/ptxas";
import { PARAMETER_CLASSES, SHARED_CLASSES } from "../../src/kernel/plan-block.js";
import { MODES, type Mode, type Variant } from "../../src/kernel/variant.js";

const USUAL: Variant = {
  positionBits: 32,
  tableBits: 32,
  modes: [8],
  branching: false,
  searched: false,
  denseSide: "none",
  regions: false,
  space: "shared",
  planBytes: 1024,
  unroll: 4,
  maxThreads: 128,
  hints: { bypassL1: false, storeOperator: "wb" },
};

const SIDES = ["source", "target", "none"] as const;

/** Chunks are gathered from a source that is scattered, and scattered to a target that is. */
const canBeDense = (modes: readonly Mode[], side: Variant["denseSide"]): boolean =>
  !(side === "source" && modes.includes("gather")) &&
  !(side === "target" && (modes.includes("scatter") || modes.includes("scatterRuns")));

/** What one transfer of a common datatype takes. */
export const usualVariants: readonly Variant[] = MODES.flatMap((mode) =>
  SIDES.filter((denseSide) => canBeDense([mode], denseSide)).map((denseSide) => ({
    ...USUAL,
    modes: [mode],
    denseSide,
  })),
);

const TWO = [false, true] as const;
const BITS = [32, 64] as const;
/** Members of a sequence are searched for. */
const LISTS: readonly Pick<Variant, "branching" | "searched">[] = [
  { branching: false, searched: false },
  { branching: false, searched: true },
  { branching: true, searched: true },
];
const MODE_LISTS: readonly (readonly Mode[])[] = [...MODES.map((mode) => [mode]), MODES];
const PLACES: readonly Pick<Variant, "space" | "planBytes">[] = [
  ...SHARED_CLASSES.map((planBytes) => ({ space: "shared", planBytes }) as const),
  ...PARAMETER_CLASSES.map((planBytes) => ({ space: "parameters", planBytes }) as const),
  { space: "memory", planBytes: 0 },
];
const HINTS: readonly Variant["hints"][] = TWO.flatMap((bypassL1) =>
  (["wb", "cs", "wt"] as const).map((storeOperator) => ({ bypassL1, storeOperator })),
);

type Choices = Omit<Variant, "space" | "planBytes" | "branching" | "searched"> & {
  readonly place: Pick<Variant, "space" | "planBytes">;
  readonly lists: Pick<Variant, "branching" | "searched">;
};

/** Every variant that there is, some 220,000. */
function* allChoices(): Generator<Choices> {
  for (const positionBits of BITS)
    for (const tableBits of BITS)
      for (const modes of MODE_LISTS)
        for (const lists of LISTS)
          for (const regions of TWO)
            for (const place of PLACES)
              for (const unroll of [1, 4, 8])
                for (const maxThreads of [128, 256, 1024])
                  for (const hints of HINTS)
                    for (const denseSide of SIDES.filter((side) => canBeDense(modes, side)))
                      yield {
                        positionBits,
                        tableBits,
                        modes,
                        lists,
                        denseSide,
                        regions,
                        place,
                        unroll,
                        maxThreads,
                        hints,
                      };
}

/** Each two choices meet in one of these. */
export const pairedVariants = (): readonly Variant[] =>
  everyPair([...allChoices()]).map(({ place, lists, ...rest }) => ({ ...rest, ...place, ...lists }));
