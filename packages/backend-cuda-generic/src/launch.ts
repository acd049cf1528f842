import type { Conditions } from "@stowage/backend-api";
import { copyBytes, type Launch } from "@stowage/cuda-driver";
import type { Message } from "./bind/message.js";
import { planBytes } from "./bind/plan-bytes.js";
import { shapeOf, type Shape } from "./bind/shape.js";
import type { DeviceState } from "./devices.js";
import { PARAMETER_CLASSES, SHARED_CLASSES, type PlanSpace } from "./kernel/plan-block.js";
import type { BuiltIn } from "./kernel/generic-kernel.js";
import { canUnroll, sideText, type StaticSide } from "./kernel/static-walk.js";
import { MODES, stepBytes, variantName, type DataHints, type Variant } from "./kernel/variant.js";
import type { Tuning } from "./options.js";
import type { PlanRoom } from "./plan-memory.js";
import type { Payload } from "./payload.js";

export interface LaunchParts {
  readonly conditions: Conditions;
  readonly payload: Payload;
  readonly device: DeviceState;
  readonly tuning: Tuning;
}

/** The kernel launch of a plan: which variant, how many blocks, and the plan block they read. */
export class GenericLaunch implements Disposable {
  readonly #parts: LaunchParts;
  readonly #lookaside: number;
  #launch: Launch | undefined;
  #variant = "";
  /** The plan block on the device, where it is no parameter; and what is to be copied there before the next run. */
  #room: PlanRoom | undefined;
  /** Rooms that became too small: runs under way may still read them. */
  readonly #outgrown: PlanRoom[] = [];
  #pending: Uint8Array | undefined;

  constructor(parts: LaunchParts, lookasideAddress: number) {
    this.#parts = parts;
    this.#lookaside = lookasideAddress;
  }

  get empty(): boolean {
    return this.#launch === undefined;
  }

  /** Makes the launch that moves these messages. */
  set(messages: readonly Message[]): void {
    if (messages.length === 0) {
      this.#launch = undefined;
      this.#variant = "";
      return;
    }
    const { payload, device, tuning, conditions } = this.#parts;
    const { multiprocessors } = device.context.device;
    const shape = shapeOf(messages, { ...tuning, multiprocessors, smBudget: conditions.smBudget });
    const builtIn = builtInOf(messages, payload, tuning);
    const bytes = planBytes(messages, shape, this.#lookaside, builtIn?.ofMessages);
    const alone = builtIn !== undefined && messages.length === 1;
    const planSpace = alone
      ? "parameters"
      : tuning.planSpace === "fitting"
        ? fittingSpace(messages, shape)
        : tuning.planSpace;
    const variant = variantOf(
      messages,
      payload,
      shape,
      spaceOf(bytes.byteLength, planSpace),
      fittingHints(messages, tuning.hints),
    );
    const key = [variantName(variant), alone, ...(builtIn?.texts ?? [])].join();
    const size = { grid: { x: shape.blocks }, block: { x: shape.threads } };
    if (this.#launch === undefined || this.#variant !== key) {
      const parameterBytes = variant.space === "parameters" ? variant.planBytes : POINTER_AND_LENGTH_BYTES;
      const kernel =
        builtIn === undefined ? device.generic(variant) : device.specialised(key, variant, builtIn.distinct, alone);
      this.#launch = kernel.launch(parameterBytes, size);
      this.#variant = key;
    } else this.#launch.reshape(size);
    this.#give(this.#launch, variant, bytes);
  }

  run(queue: { readonly handle: number }): void {
    if (this.#pending !== undefined) this.#upload(this.#pending, queue);
    this.#launch?.run(queue);
  }

  /** No run may be under way. */
  [Symbol.dispose](): void {
    for (const room of [this.#room, ...this.#outgrown]) room?.release();
    this.#room = undefined;
    this.#outgrown.length = 0;
  }

  #give({ parameters }: Launch, variant: Variant, bytes: Uint8Array): void {
    if (variant.space === "parameters") {
      new Uint8Array(parameters.buffer).set(bytes);
      return;
    }
    if (this.#room === undefined || this.#room.sizeBytes < bytes.byteLength) {
      if (this.#room !== undefined) this.#outgrown.push(this.#room);
      this.#room = this.#parts.device.planMemory.room(bytes.byteLength);
    }
    parameters.setBigUint64(0, BigInt(this.#room.address), true);
    parameters.setUint32(8, bytes.byteLength, true);
    this.#pending = bytes;
  }

  /** In the order of the queue; pageable memory is the driver's to keep once the call returns. */
  #upload(bytes: Uint8Array, queue: { readonly handle: number }): void {
    const { context } = this.#parts.device;
    const address = this.#room?.address ?? 0;
    copyBytes(context, address, context.libcuda.addressOf(bytes), bytes.byteLength).run(
      context.foreignStream(queue.handle),
    );
    this.#pending = undefined;
  }
}

const POINTER_AND_LENGTH_BYTES = 12;

/** Positions below this stay within what narrow magic numbers divide. */
const NARROW_BYTES = 2 ** 31;

function variantOf(
  messages: readonly Message[],
  payload: Payload,
  shape: Shape,
  place: PlanClass,
  hints: DataHints,
): Variant {
  const used = new Set(messages.map(({ mode }) => mode));
  return {
    positionBits: messages.every(({ endBytes }) => endBytes <= NARROW_BYTES) ? 32 : 64,
    tableBits: payload.tableBits,
    modes: MODES.filter((mode) => used.has(mode)),
    branching: messages.some(({ encoded }) => encoded.source.branching || encoded.target.branching),
    searched: messages.some(({ encoded }) => encoded.source.searched || encoded.target.searched),
    denseSide: denseSideOf(messages),
    regions: messages.some(({ source, target }) => source.regions.length + target.regions.length > 0),
    unroll: shape.unroll,
    maxThreads: shape.maxThreads,
    hints,
    ...place,
  };
}

function denseSideOf(messages: readonly Message[]): Variant["denseSide"] {
  if (messages.every(({ encoded }) => encoded.target.dense)) return "target";
  return messages.every(({ encoded }) => encoded.source.dense) ? "source" : "none";
}

/** Past this many layouts a kernel of their own is mostly code that is fetched once. */
const MOST_BUILT_IN = 32;

/** Layouts built into a kernel, each once; and of each message, which of them are its own. */
interface BuiltInLayouts {
  readonly distinct: readonly BuiltIn[];
  readonly texts: readonly string[];
  readonly ofMessages: readonly number[];
}

/** The layouts to build in: undefined for the generic tier, or where unrolling would be too long. */
function builtInOf(
  messages: readonly Message[],
  { lookaside, tableBits }: Payload,
  { tier }: Tuning,
): BuiltInLayouts | undefined {
  if (tier === "generic") return undefined;
  const distinct = new Map<string, BuiltIn>();
  const texts = messages.map(({ encoded, root, mode }) => {
    const side = ({ nodes }: { nodes: Uint8Array }): StaticSide => ({ nodes, lookaside, root });
    const [source, target] = [side(encoded.source), side(encoded.target)];
    // A dense side's length is not built in.
    const text = [
      mode,
      ...[source, target].map((each, i) =>
        (i === 0 ? encoded.source : encoded.target).dense ? "dense" : sideText(each, tableBits),
      ),
    ].join();
    distinct.set(text, { mode, source, target });
    return text;
  });
  const keys = [...distinct.keys()];
  const builtIn = [...distinct.values()];
  const short = builtIn.every(({ source, target }) => canUnroll(source, tableBits) && canUnroll(target, tableBits));
  if (!short || builtIn.length > MOST_BUILT_IN) return undefined;
  return { distinct: builtIn, texts: keys, ofMessages: texts.map((text) => keys.indexOf(text)) };
}

/** Half of an H200's L2: as much again is read, and past that nothing stays for the next call anyway. */
const STREAMED_BYTES = 2 ** 25;

/**
 * H200, repeated packs: 12 MB of atoms by index 26.7 us as usual, 25.2 so; the halo 26.0 and 24.9; 64 MiB lose half a
 * microsecond. What is unpacked by a list keeps its sectors until all their parts are there (4.2 M floats: 69 us, 72 so).
 */
function fittingHints(messages: readonly Message[], { passL1, storeOperator }: Tuning["hints"]): DataHints {
  if (storeOperator !== "fitting") return { passL1, storeOperator };
  const bytes = messages.reduce((sum, { words, mode }) => sum + words * stepBytes(mode), 0);
  const inOrder = messages.every(({ encoded: { target } }) => target.dense || target.strided);
  return { passL1, storeOperator: inOrder && bytes < STREAMED_BYTES ? "cs" : "wb" };
}

type PlanClass = Pick<Variant, "space" | "planBytes">;

/** So many blocks come and go that what each spends on copying the plan, and on waiting for it, is felt. */
const MANY_BLOCKS = 4096;

/**
 * Parameters need no copy and no barrier, but threads that index them differently are served one after the other. In
 * launches of one wave the copy's latency is less than that of first reads from the parameters' cache; unpacking by
 * lists, the copy spreads out the blocks' stores (H200: 64 MiB of random blocks pack in 57 us, not 61; unpack in 99, not 98).
 */
function fittingSpace(messages: readonly Message[], { tiles }: Shape): PlanSpace {
  const [only] = messages;
  const packs = messages.length === 1 && only?.encoded.target.dense === true;
  return packs && tiles >= MANY_BLOCKS ? "parameters" : "shared";
}

function spaceOf(bytes: number, planSpace: PlanSpace): PlanClass {
  const classes = planSpace === "parameters" ? PARAMETER_CLASSES : planSpace === "shared" ? SHARED_CLASSES : [];
  const planBytes = classes.find((size) => size >= bytes);
  return planBytes === undefined ? { space: "memory", planBytes: 0 } : { space: planSpace, planBytes };
}
