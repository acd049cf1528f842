import { decodeArtifact, type Backend } from "@stowage/backend-api";
import type { TestMemory } from "../memory/test-memory.js";
import type { FreshCase, FreshSide } from "./fresh-process.js";

/** Loads a stored artifact, moves bytes with it, and gives what the target holds then. */
export function moveStored(
  backend: Backend,
  sourceMemory: TestMemory,
  targetMemory: TestMemory,
  { artifact, source, target, count, length }: FreshCase,
): Uint8Array {
  const kernel = backend.load(decodeArtifact(Buffer.from(artifact, "base64")));
  const from = allocated(sourceMemory, source);
  const to = allocated(targetMemory, target);
  const plan = kernel.bind([
    {
      source: { memory: from, originBytes: source.originBytes },
      target: { memory: to, originBytes: target.originBytes },
      count,
      first: 0,
      length,
    },
  ]);
  plan.run().wait();
  const moved = targetMemory.read(to, 0, to.sizeBytes);
  plan[Symbol.dispose]();
  kernel[Symbol.dispose]();
  return moved;
}

function allocated(memory: TestMemory, { bytes }: FreshSide) {
  const contents = Buffer.from(bytes, "base64");
  const buffer = memory.allocate(contents.length);
  memory.write(buffer, 0, contents);
  return buffer;
}
