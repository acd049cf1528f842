import {
  ArtifactError,
  artifactKey,
  checkBinding,
  checkBindings,
  DisposedError,
  DONE,
  SUPPORTED,
  UnsupportedMoveError,
  unsupported,
  type Backend,
  type Binding,
  type Buffer,
  type Conditions,
  type Move,
  type Plan,
} from "@stowage/backend-api";
import { runs } from "@stowage/ir";

const refusal = (c: Conditions): string | undefined =>
  c.sourceKind === "host" && c.targetKind === "host" ? undefined : "only host memory";

/** Moves byte by byte: slow, and right. */
export const ownBackend: Backend = {
  name: "own",
  supports: (_, given) => (refusal(given) === undefined ? SUPPORTED : unsupported(refusal(given) ?? "")),
  predict: (moves, { count }) => ({
    commitNs: 1,
    runNs: 1 + moves.reduce((sum, move) => sum + move.source.sizeBytes, 0) * (count === "any" ? 1 : count),
  }),
  compile(moves, given) {
    const reason = refusal(given);
    if (reason !== undefined) throw new UnsupportedMoveError("own", reason);
    const key = artifactKey("own", 1, moves, given);
    return { backend: "own", formatVersion: 1, key, moves, conditions: given, payload: null };
  },
  load(artifact) {
    if (artifact.backend !== "own" || artifact.formatVersion !== 1) {
      throw new ArtifactError(
        `artifact: expected format 1 of own, got ${artifact.formatVersion} of ${artifact.backend}`,
      );
    }
    let live = true;
    return {
      explain: () => "byte by byte",
      bind: (bindings) => {
        if (!live) throw new DisposedError("kernel");
        return bindOwn(artifact.moves, [...bindings], artifact.conditions);
      },
      [Symbol.dispose]: () => void (live = false),
    };
  },
};

function bindOwn(moves: readonly Move[], bindings: Binding[], given: Conditions): Plan {
  checkBindings(moves, bindings, given);
  let live = true;
  return {
    run() {
      if (!live) throw new DisposedError("plan");
      checkBindings(moves, bindings, given); // a buffer may have been detached since
      moves.forEach((move, i) => moveBytes(move, bindings[i]!));
      return DONE;
    },
    rebind(i, binding) {
      if (!live) throw new DisposedError("plan");
      checkBinding(moves, i, binding, given);
      bindings[i] = binding;
    },
    [Symbol.dispose]: () => void (live = false),
  };
}

function* bytesOf(layout: Move["source"], range: Binding): Generator<number> {
  for (const { offsetBytes, lengthBytes } of runs(layout, range))
    for (let i = 0; i < lengthBytes; i++) yield offsetBytes + i;
}

function moveBytes(move: Move, { source, target, ...rest }: Binding): void {
  const range = { ...rest, source, target };
  const to = bytesOf(move.target, range);
  for (const from of bytesOf(move.source, range)) {
    const [into, at] = byteAt(target, to.next().value as number);
    const [bytes, index] = byteAt(source, from);
    into[at] = bytes[index]!;
  }
}

/** The array and index of the byte at an offset, in one buffer or in the region of an address space. */
function byteAt({ memory, originBytes }: Binding["source"], offsetBytes: number): [Uint8Array, number] {
  const at = originBytes + offsetBytes;
  const hit = (start: number, buffer: Buffer): boolean => at >= start && at < start + buffer.sizeBytes;
  if (!("regions" in memory)) return [memory.bytes!, at];
  const region = memory.regions.find(({ startBytes, buffer }) => hit(startBytes, buffer))!;
  return [region.buffer.bytes!, at - region.startBytes];
}
