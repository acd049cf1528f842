import {
  ArtifactError,
  artifactKey,
  directionOf,
  ELEMENT_NAMES,
  ELEMENTS,
  isTabled,
  NO_TABLES,
  OPERATION_NAMES,
  requireArtifactOf,
  requireConditions,
  requireMoves,
  SUPPORTED,
  UnsupportedMoveError,
  unsupported,
  type Artifact,
  type Backend,
  type Conditions,
  type Kernel,
  type Move,
  type Prediction,
  type Support,
} from "@stowage/backend-api";
import { denseLayout } from "@stowage/ir";
import { HostKernel, MAILBOX_RECORD, MoveCode, RECORD_NUMBERS, type Launcher } from "@stowage/host-plans";
import { describeType } from "@stowage/backend-api";
import koffi from "koffi";
import { libstowage, type Library, type NativeType } from "../library/library.js";
import { layoutType } from "./layout-type.js";

const NAME = "libstowage";
const FORMAT_VERSION = 1;
/** Nesting that layoutType follows. */
const MOST_LEVELS = 500;

/** What a code of a launch record stands for. */
type Run = (source: number, target: number, count: number, first: number, length: number) => number;

/** Calls the library where other backends call machine code: a record's code is an index of runs. */
class LibraryLauncher implements Launcher {
  readonly #runs: readonly Run[];

  constructor(runs: readonly Run[]) {
    this.#runs = runs;
  }

  launch(): void {
    this.#run(MAILBOX_RECORD);
  }

  callAll(recordsAddress: number, count: number): void {
    const numbers = koffi.decode(BigInt(recordsAddress), "double", count * RECORD_NUMBERS) as Float64Array;
    for (let i = 0; i < count; i++) this.#run(numbers.slice(i * RECORD_NUMBERS, (i + 1) * RECORD_NUMBERS));
  }

  #run(numbers: ArrayLike<number>): void {
    const [code = 0, source = 0, target = 0, count = 0, first = 0, length = 0] = Array.from(numbers);
    const status = this.#runs[code]?.(source, target, count, first, length);
    if (status !== 0) throw new Error(`libstowage: expected status 0 of a checked binding, got ${status}`);
  }
}

/** The C library as a backend: the laws run on its constructors, its lowering and its loops. */
export class LibraryBackend implements Backend {
  readonly name = NAME;
  readonly reduces = true;

  supports(moves: readonly Move[], conditions: Conditions): Support {
    requireMoves(moves);
    requireConditions(conditions);
    if (moves.some(isTabled)) return NO_TABLES;
    for (const kind of [conditions.sourceKind, conditions.targetKind])
      if (kind !== "host" && kind !== "pinned")
        return unsupported(`it moves host and pinned memory, not ${kind} memory`);
    const isDeep = moves.some(({ source, target }) => Math.max(source.root.depth, target.root.depth) > MOST_LEVELS);
    return isDeep ? unsupported(`layouts of more than ${MOST_LEVELS} levels are not made datatypes here`) : SUPPORTED;
  }

  predict(moves: readonly Move[], { count }: Conditions): Prediction {
    const bytes = moves.reduce((sum, { source }) => sum + source.sizeBytes, 0);
    return { commitNs: 1000, runNs: 100 + bytes * (count === "any" ? 1 : count) };
  }

  compile(moves: readonly Move[], conditions: Conditions): Artifact {
    const support = this.supports(moves, conditions);
    if (!support.ok) throw new UnsupportedMoveError(NAME, support.reason);
    const payload = moves.map(({ source, target }) => [source, target].map((each) => describeType(layoutType(each))));
    const key = artifactKey(NAME, FORMAT_VERSION, moves, conditions);
    return { backend: NAME, formatVersion: FORMAT_VERSION, key, moves, conditions, payload };
  }

  load(artifact: Artifact): Kernel {
    const { moves, conditions, payload } = requireArtifactOf(artifact, NAME, FORMAT_VERSION);
    if (!Array.isArray(payload) || payload.length !== moves.length)
      throw new ArtifactError(
        `payload of an artifact of ${NAME}: expected two descriptions a move, got something else`,
      );
    return kernelOf(moves, conditions, payload as readonly (readonly Uint8Array[])[]);
  }
}

function kernelOf(
  moves: readonly Move[],
  conditions: Conditions,
  descriptions: readonly (readonly Uint8Array[])[],
): Kernel {
  const library = libstowage();
  const types = descriptions.map((sides) => sides.map((description) => typeOf(library, description)));
  const bytes = library.commit(layoutType(denseLayout(1)));
  const ones = moves.map((move) => runOfOne(library, move, bytes));
  const runs: readonly Run[] = [
    ...moves.map((move, i) => runOf(library, move, types[i] as readonly NativeType[])),
    ...ones.map(({ run }) => run),
  ];
  const codes = moves.map((_, i) => ({ move: codeOf(i), run: codeOf(moves.length + i) }));
  const all = [bytes, ...types.flat(), ...ones.flatMap(({ type }) => type ?? [])];
  let users = 1;
  const code = {
    hold: () => void users++,
    release: () => {
      if (--users === 0) for (const type of all) type[Symbol.dispose]();
    },
  };
  const explain = (): string => types.map((sides) => sides.map((type) => type.explain()).join("")).join("");
  return new HostKernel({ moves, conditions, codes, code, launcher: new LibraryLauncher(runs), explain });
}

function typeOf(library: Library, description: Uint8Array): NativeType {
  const type = library.commitDescription(description);
  if (typeof type === "number") throw new ArtifactError(`description: expected one, got status ${type}`);
  return type;
}

const codeOf = (index: number): MoveCode => new MoveCode(() => index);

/** What moves a single run: bytes are copied, elements combined. */
function runOfOne(library: Library, move: Move, bytes: NativeType): { readonly run: Run; readonly type?: NativeType } {
  if (move.reduction === undefined)
    return { run: (source, target, _, first, length) => bytes.pack(source + first, length, 0, target + first, length) };
  const { sizeBytes } = ELEMENTS[move.reduction.element];
  const type = library.commit(layoutType(denseLayout(sizeBytes)));
  const reduction = numbersOf(move);
  const run: Run = (source, target, _, first, length) =>
    library.status(
      "stowage_reduce",
      BigInt(source + first),
      length,
      ...reduction,
      type.handle,
      BigInt(target + first),
      length / sizeBytes,
    );
  return { run, type };
}

/** Operation and element, as the header numbers them. */
const numbersOf = ({ reduction }: Move): readonly [number, number] => {
  if (reduction === undefined) throw new ArtifactError("move: expected a reduction, got none");
  return [OPERATION_NAMES.indexOf(reduction.op), ELEMENT_NAMES.indexOf(reduction.element)];
};

/** A packed side's address is that of the stream's byte 0: the library takes that of the range. */
function runOf(library: Library, move: Move, [source, target]: readonly NativeType[]): Run {
  if (source === undefined || target === undefined) throw new ArtifactError("move: expected two types");
  switch (directionOf(move)) {
    case "pack":
      return (from, to, count, first, length) => source.pack(from, count, first, to + first, length);
    case "unpack":
      return (from, to, count, first, length) => target.unpack(from + first, length, first, to, count);
    case "reduce": {
      const reduction = numbersOf(move);
      return (from, to, count, first, length) =>
        library.status(
          "stowage_reduce_range",
          BigInt(from + first),
          length,
          ...reduction,
          target.handle,
          first,
          BigInt(to),
          count,
        );
    }
    case "copy":
      return (from, to, count, first, length) =>
        library.status(
          "stowage_copy_range",
          BigInt(from),
          count,
          source.handle,
          first,
          length,
          BigInt(to),
          count,
          target.handle,
        );
  }
}
