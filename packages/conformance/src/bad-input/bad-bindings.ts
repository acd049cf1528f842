import { addressSpace, type Binding, type Buffer, type Memory, type MemoryKind, type Span } from "@stowage/backend-api";
import type { ErrorName } from "./refusal.js";
import type { Fixture } from "./fixture.js";

/** A binding that is wrong in one way; undefined where it cannot be made wrong in this way. */
export interface BadBinding {
  readonly what: string;
  readonly errors: readonly ErrorName[];
  readonly spoil: (binding: Binding, fixture: Fixture) => Binding | undefined;
}

type SideName = "source" | "target";

const wrong = (what: string, spoil: BadBinding["spoil"]): BadBinding => ({ what, errors: ["BindingError"], spoil });

const numbers = (field: "count" | "first" | "length", values: readonly number[]): BadBinding[] =>
  values.map((value) => wrong(`${field} of ${value}`, (binding) => ({ ...binding, [field]: value })));

const onBothSides = (
  what: string,
  spoil: (span: Span, fixture: Fixture, side: SideName) => Span | undefined,
  errors: readonly ErrorName[] = ["BindingError"],
): BadBinding[] =>
  (["source", "target"] as const).map((side) => ({
    what: `${side}: ${what}`,
    errors,
    spoil: (binding, fixture) => {
      const span = spoil(binding[side], fixture, side);
      return span === undefined ? undefined : { ...binding, [side]: span };
    },
  }));

/** Only for spans over one buffer, as bindings on a fixture are. */
const withBuffer = (span: Span, change: (buffer: Buffer) => Buffer | undefined): Span | undefined => {
  const buffer = change(span.memory as Buffer);
  return buffer === undefined ? undefined : { ...span, memory: buffer };
};

const OTHER_KINDS: readonly MemoryKind[] = ["host", "pinned", "device", "managed"];

/** Buffers on a fixture are as long as they must be, so that one byte less is too short. */
const shortened = (span: Span, fixture: Fixture, side: SideName): Span | undefined =>
  withBuffer(span, ({ sizeBytes }) => (sizeBytes < 2 ? undefined : fixture.allocate(side, sizeBytes - 1)));

/** Two regions that touch in the middle of the first byte run of two bytes or more: no block may lie across. */
function cutInTwo(span: Span, fixture: Fixture, side: SideName): Span | undefined {
  const cut = fixture.middleOfABlock(side);
  if (!fixture.parts.addressSpaces || cut === undefined) return undefined;
  const { sizeBytes } = span.memory as Buffer;
  const at = span.originBytes + cut;
  const regions = [
    { startBytes: 0, buffer: fixture.allocate(side, at) },
    { startBytes: at, buffer: fixture.allocate(side, sizeBytes - at) },
  ];
  return { ...span, memory: addressSpace(regions) };
}

function withoutRegions(span: Span, { parts }: Fixture): Span | undefined {
  const nothing: Memory = addressSpace([]);
  return parts.addressSpaces ? { ...span, memory: nothing } : undefined;
}

/** A copy from layout to layout that would write what it reads. */
export const ALIASED: BadBinding = wrong("the source as its target", (binding) => ({
  ...binding,
  target: binding.source,
}));

export const BAD_BINDINGS: readonly BadBinding[] = [
  ...numbers("count", [-1, 0.5, NaN, Infinity, 2 ** 53]),
  ...numbers("first", [-1, 0.5, NaN, 2 ** 53]),
  ...numbers("length", [-1, 0.5, NaN, Infinity, 2 ** 53]),
  wrong("range one byte past the end", (binding) => ({ ...binding, length: binding.length + 1 })),
  wrong("whole range from byte 1", (binding) => ({ ...binding, first: 1 })),
  wrong("fewer elements than the range needs", (binding) => ({ ...binding, count: binding.count - 1 })),
  wrong("another count than compiled for", (binding, { parts }) =>
    parts.conditions.count === "any" ? undefined : { ...binding, count: binding.count + 1 },
  ),
  ...onBothSides("one byte short", shortened),
  ...onBothSides("origin one byte too low", (span) => ({ ...span, originBytes: span.originBytes - 1 })),
  ...onBothSides("origin one byte too high", (span) => ({ ...span, originBytes: span.originBytes + 1 })),
  ...[NaN, 0.5, 2 ** 53].flatMap((originBytes) =>
    onBothSides(`origin of ${originBytes}`, (span) => ({ ...span, originBytes })),
  ),
  ...onBothSides("memory of another kind than declared", (span) =>
    withBuffer(span, (buffer) => ({ ...buffer, kind: OTHER_KINDS.find((kind) => kind !== buffer.kind) ?? "host" })),
  ),
  ...onBothSides(
    "null device pointer",
    (span) => withBuffer(span, (buffer) => (buffer.kind === "device" ? { ...buffer, address: 0 } : undefined)),
    ["BindingError", "DeviceError"],
  ),
  ...onBothSides("neither bytes nor an address", (span) =>
    withBuffer(span, ({ kind, sizeBytes }) => ({ kind, sizeBytes })),
  ),
  ...onBothSides("a block across two regions", cutInTwo),
  ...onBothSides("an address space without regions", withoutRegions),
];
