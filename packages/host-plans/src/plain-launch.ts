import {
  HostBuffer,
  type Binding,
  type Conditions,
  type PlainCall,
  type QuickCheck,
  type Span,
} from "@stowage/backend-api";
import { hostAddress } from "./host-address.js";
import type { Launcher } from "./launcher.js";
import { MAILBOX_RECORD } from "./mailbox.js";
import type { MoveCode } from "./move-code.js";

/** V8 keeps a number beyond 2^31 in an object of its own: an address is two, in units of so many bytes and the rest. */
const UNIT = 2 ** 16;

/** A constant of this module: V8 knows its address when it compiles what writes it. */
const RECORD = MAILBOX_RECORD;

/** What calls of a move are launched by. */
export interface PlainParts {
  readonly check: QuickCheck;
  readonly code: MoveCode;
  readonly launcher: Launcher;
  /** Packed bytes from which on several threads share a call. */
  readonly aloneBelowBytes: number;
}

/** Whether nothing was promised of either side but that it is pageable memory: most often. */
export const isPlain = ({ sourceKind, targetKind, sourceAlignment, targetAlignment }: Conditions): boolean =>
  sourceKind === "host" && targetKind === "host" && sourceAlignment === 1 && targetAlignment === 1;

/**
 * The calls of one move under plain conditions. All that a call reads of the move lies here, in numbers that V8 keeps
 * in this object: two or three lines. QuickCheck is asked once a range.
 */
export class PlainLaunch implements PlainCall {
  // The range that was last right, what it reaches on both sides, and the code that moves it.
  #count = 0;
  #first = 0;
  #length = 0;
  #sourceLow = 0;
  #sourceHigh = 0;
  #targetLow = 0;
  #targetHigh = 0;
  #codeUnits = 0;
  #codeRest = 0;
  readonly #launcher: Launcher;
  readonly #check: QuickCheck;
  readonly #code: MoveCode;
  #belowBytes: number;

  constructor({ check, code, launcher, aloneBelowBytes }: PlainParts) {
    this.#launcher = launcher;
    this.#check = check;
    this.#code = code;
    this.#belowBytes = aloneBelowBytes;
  }

  moves(
    source: HostBuffer,
    sourceOriginBytes: number,
    target: HostBuffer,
    targetOriginBytes: number,
    count: number,
    first: number,
    length: number,
  ): boolean {
    const isLast = length === this.#length && count === this.#count && first === this.#first && this.#codeUnits !== 0;
    if (!isLast && !this.#takes(count, first, length)) return false;
    if (!Number.isSafeInteger(sourceOriginBytes) || !Number.isSafeInteger(targetOriginBytes)) return false;
    if (!source.reaches(sourceOriginBytes + this.#sourceLow, sourceOriginBytes + this.#sourceHigh)) return false;
    if (!target.reaches(targetOriginBytes + this.#targetLow, targetOriginBytes + this.#targetHigh)) return false;
    const from = hostAddress(source) + sourceOriginBytes;
    const to = hostAddress(target) + targetOriginBytes;
    if (from + this.#sourceLow < to + this.#targetHigh && to + this.#targetLow < from + this.#sourceHigh) return false;
    RECORD[0] = this.#codeUnits * UNIT + this.#codeRest;
    RECORD[1] = from;
    RECORD[2] = to;
    RECORD[3] = count;
    RECORD[4] = first;
    RECORD[5] = length;
    this.#launcher.launch();
    return true;
  }

  /** Calls `moves` with what may be no binding at all: false then. */
  movesBound(binding: Binding): boolean {
    const [from, to] = [(binding as Binding | null)?.source, (binding as Binding | null)?.target];
    if (!hasHostBuffer(from) || !hasHostBuffer(to)) return false;
    const { count, first, length } = binding;
    return this.moves(from.memory, from.originBytes, to.memory, to.originBytes, count, first, length);
  }

  /** From now on no call is this one's. */
  close(): void {
    this.#codeUnits = 0;
    this.#belowBytes = 0;
  }

  #takes(count: number, first: number, length: number): boolean {
    if (length >= this.#belowBytes || !this.#check.takes(count, first, length)) return false;
    const { sourceLow, sourceHigh, targetLow, targetHigh } = this.#check.reach;
    const address = this.#code.addressFor(count, length);
    this.#count = count;
    this.#first = first;
    this.#length = length;
    this.#sourceLow = sourceLow;
    this.#sourceHigh = sourceHigh;
    this.#targetLow = targetLow;
    this.#targetHigh = targetHigh;
    this.#codeRest = address % UNIT;
    this.#codeUnits = (address - this.#codeRest) / UNIT;
    return true;
  }
}

const hasHostBuffer = (span: Span | null | undefined): span is Span & { readonly memory: HostBuffer } =>
  span !== null && span !== undefined && HostBuffer.is(span.memory);
