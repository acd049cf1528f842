import type { Context } from "./context.js";
import { copyBatch } from "./batch-copy.js";
import { copy2D, copy3D, copyBytes, type Copy, type StructuredCopy } from "./copy.js";
import { DriverError } from "./check.js";
import { writeWord } from "./word.js";

/** Words of CUDA_MEMCPY3D and CUDA_MEMCPY2D that a case changes, by the side's name. */
const WORDS_3D = {
  sourcePitch: 9,
  sourceHeight: 10,
  targetPitch: 20,
  targetHeight: 21,
  width: 22,
  rows: 23,
  planes: 24,
};
const WORDS_2D = { sourcePitch: 6, targetPitch: 13, width: 14, rows: 15 };

type Changes<Words> = Partial<Record<keyof Words, number>>;

/** 3D copies of planes of 4 rows of 16 bytes, and what each has instead. */
const CASES_3D: Readonly<Record<string, Changes<typeof WORDS_3D>>> = {
  "3D": {},
  "3D, source planes of fewer rows than the box": { sourceHeight: 3 },
  "3D, target planes of fewer rows than the box": { targetHeight: 3 },
  "3D, source planes of 1 row": { sourceHeight: 1 },
  "3D, source planes of 0 rows": { sourceHeight: 0 },
  "3D, one plane, source planes of fewer rows": { sourceHeight: 3, planes: 1 },
  "3D, one row, source planes of 0 rows": { sourceHeight: 0, rows: 1 },
  "3D, one row and plane, source planes of 0 rows": { sourceHeight: 0, rows: 1, planes: 1 },
  "3D, source rows that overlap": { sourcePitch: 15 },
  "3D, target rows that overlap": { targetPitch: 15 },
  "3D, one row, source rows that overlap": { sourcePitch: 15, rows: 1 },
  "3D, one row and plane, source pitch below the width": { sourcePitch: 15, rows: 1, planes: 1 },
  "3D, source pitch 0": { sourcePitch: 0 },
  "3D, one row and plane, source pitch 0": { sourcePitch: 0, rows: 1, planes: 1 },
  "3D, no bytes": { width: 0 },
  "3D, no rows": { rows: 0 },
  "3D, no planes": { planes: 0 },
};

/** 2D copies of 4 rows of 16 bytes. */
const CASES_2D: Readonly<Record<string, Changes<typeof WORDS_2D>>> = {
  "2D": {},
  "2D, source rows that overlap": { sourcePitch: 15 },
  "2D, target rows that overlap": { targetPitch: 15 },
  "2D, one row, source pitch below the width": { sourcePitch: 15, rows: 1 },
  "2D, one row, source pitch 0": { sourcePitch: 0, rows: 1 },
  "2D, source pitch 0": { sourcePitch: 0 },
  "2D, one row, source pitch of 2^31": { sourcePitch: 2 ** 31, rows: 1 },
  "2D, no bytes": { width: 0 },
  "2D, no rows": { rows: 0 },
};

/** An address that no allocation is at: the driver would take it for pageable memory, and read it. */
const NOWHERE = 0x10_0000;

/**
 * What the driver answers to copies that it may refuse, by the case's name: "taken", or CUDA's name of the result. No
 * case leaves its allocation, so that a device is not lost by a copy that is taken.
 */
export function copyAnswers(context: Context): Readonly<Record<string, string>> {
  using stream = context.stream();
  using source = context.deviceMemory(2 ** 16);
  using target = context.deviceMemory(2 ** 16);
  const side = ({ address }: { readonly address: number }) => ({ address, host: false, pitchBytes: 64, planeRows: 8 });
  const three = () => copy3D(context, side(target), side(source), { widthBytes: 16, rows: 4, planes: 3 });
  const two = () => copy2D(context, side(target), side(source), { widthBytes: 16, rows: 4 });
  const one = (value: number) => Float64Array.of(value);
  const batch = () => copyBatch(context, one(target.address), one(source.address), one(16));
  const answers: Record<string, string> = {};
  const tried = (name: string, run: () => void): void => {
    answers[name] = answerOf(() => {
      run();
      stream.synchronize();
    });
  };
  for (const [name, changes] of Object.entries(CASES_3D))
    tried(name, () => changed(three(), WORDS_3D, changes).run(stream));
  for (const [name, changes] of Object.entries(CASES_2D))
    tried(name, () => changed(two(), WORDS_2D, changes).run(stream));
  tried("no bytes from nowhere", () => copyBytes(context, target.address, NOWHERE, 0).run(stream));
  if (context.copiesBatches) {
    tried("a batch", () => batch().run(stream));
    tried("a batch on the legacy default stream", () => batch().run({ handle: 0 }));
    tried("a batch on the legacy default stream, by its other name", () => batch().run({ handle: 1 }));
  }
  return answers;
}

function changed<Words extends Readonly<Record<string, number>>>(
  copy: StructuredCopy,
  words: Words,
  changes: Changes<Words>,
): Copy {
  for (const [name, value] of Object.entries(changes))
    writeWord(copy.structure, words[name] as number, value as number);
  return copy;
}

function answerOf(run: () => void): string {
  try {
    run();
    return "taken";
  } catch (error) {
    if (error instanceof DriverError) return /CUDA_ERROR_\w+/.exec(error.message)?.[0] ?? error.message;
    throw error;
  }
}
