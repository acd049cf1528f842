import { isAddressSpace, type Binding, type Span } from "@stowage/backend-api";

const SHIFTS_BYTES: readonly number[] = [0, 8, 4, 2, 1];

/**
 * The bindings of a single move at addresses of every alignment up to 16 on each side: to prepare work for, never to
 * run. None of several moves, whose alignments combine without end.
 */
export function otherAlignments(bindings: readonly Binding[]): readonly (readonly Binding[])[] {
  const [binding, another] = bindings;
  if (binding === undefined || another !== undefined) return [];
  return SHIFTS_BYTES.flatMap((bySource) =>
    SHIFTS_BYTES.map((byTarget) => [
      { ...binding, source: shifted(binding.source, bySource), target: shifted(binding.target, byTarget) },
    ]),
  );
}

/** A span of the same allocation that begins so many bytes further. */
function shifted({ memory, originBytes }: Span, byBytes: number): Span {
  if (isAddressSpace(memory)) return { memory, originBytes };
  const { kind, sizeBytes, address = 0, device } = memory;
  const aligned = address - ((address + originBytes) % 16) + byBytes;
  return { memory: { kind, sizeBytes, address: aligned, ...(device === undefined ? {} : { device }) }, originBytes };
}
