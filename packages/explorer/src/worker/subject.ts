import {
  boundsOf,
  canonicalise,
  lower,
  printSignature,
  signatureOf,
  stridedBlock,
  type Datatype,
  type Layout,
} from "@stowage/ir";
import { ArgumentError, locate } from "@stowage/ir";
import type { AddressIndex } from "../picture/address-index.js";
import { cellsOf } from "../picture/cells.js";
import { indexOf } from "../picture/index-of.js";
import { fittingView, pitchesOf, shownBytes, within, type Room, type Shown, type View } from "../picture/view.js";
import { DameStepper } from "../steps/dame-stepper.js";
import { passesThrough, pathAt } from "../tree/path-at.js";
import { treeRows } from "../tree/tree-rows.js";
import type { Facts, Link, Opened, Picture } from "./protocol.js";

/** `count` elements of a datatype, looked at. */
export class Subject {
  readonly datatype: Datatype;
  readonly count: number;
  readonly lowered: Layout;
  readonly layout: Layout;
  readonly shown: Shown;
  readonly #index: AddressIndex | undefined;
  #dame: DameStepper | undefined;

  /** Throws a DatatypeError or an ArgumentError where the elements' bytes have no safe numbers. */
  constructor(datatype: Datatype, count: number) {
    this.datatype = datatype;
    this.count = count;
    this.lowered = lower(datatype);
    this.layout = canonicalise(this.lowered);
    this.shown = shownBytes(this.layout, count);
    requireSafe(count * this.layout.sizeBytes, this.shown, count);
    this.#index = indexOf(this.layout, count);
  }

  /** Its DAME program, once somebody asks. */
  get dame(): DameStepper {
    return (this.#dame ??= new DameStepper(this.layout, this.count));
  }

  open(room: Room, view: View | undefined): Opened {
    const { shown, layout, datatype } = this;
    const pitches = pitchesOf(layout);
    const fit = fittingView(shown, pitches, room);
    const picture = this.draw(view === undefined ? fit : within(view, shown, room), room);
    return { ok: true, facts: this.#facts(), tree: treeRows(datatype), shown, pitches, fit, picture };
  }

  draw(view: View, room: Room): Picture {
    const cells = cellsOf(this.#index, this.layout.startBytes, view, this.shown, room);
    return { view, cells, exact: this.#index?.exact ?? true };
  }

  linkOfBytes(from: number, end: number): Link | undefined {
    const found = this.#index?.from(from - this.layout.startBytes);
    if (found === undefined || found.address + this.layout.startBytes >= end) return undefined;
    return this.#link(found.address + this.layout.startBytes, found.packed);
  }

  linkOfPacked(packedByte: number): Link {
    const last = this.count * this.layout.sizeBytes - 1;
    const at = Math.max(0, Math.min(Math.floor(packedByte), last));
    return this.#link(locate(this.layout, at), at);
  }

  cellsOfNode(path: string, packed: Float64Array): Uint8Array {
    const { sizeBytes } = this.layout;
    return Uint8Array.from(packed, (at) => (at >= 0 && passesThrough(this.datatype, at % sizeBytes, path) ? 1 : 0));
  }

  #link(addressBytes: number, packedByte: number): Link {
    const element = Math.floor(packedByte / this.layout.sizeBytes);
    const path = pathAt(this.datatype, packedByte - element * this.layout.sizeBytes);
    return { addressBytes, packedByte, element, path };
  }

  #facts(): Facts {
    const { sizeBytes, extentBytes, lowerBoundBytes, trueExtentBytes } = boundsOf(this.datatype);
    const block = stridedBlock(this.layout);
    const strided = block && stridedText(block.counts, block.stridesBytes);
    return {
      ...{ sizeBytes, extentBytes, lowerBoundBytes, trueExtentBytes },
      blockCount: this.layout.root.blockCount,
      ...(strided === undefined ? {} : { strided }),
      signature: cut(printSignature(signatureOf(this.datatype)), MOST_SIGNATURE),
    };
  }
}

const MOST_SIGNATURE = 120;
const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

function stridedText([runBytes = 0, ...counts]: readonly number[], strides: readonly number[]): string {
  const outer = counts.map((count, i) => `${count} × stride ${strides[i + 1] ?? 0} B`);
  return [`runs of ${runBytes} B`, ...outer].join(", ");
}

function requireSafe(packedBytes: number, { lowBytes, highBytes }: Shown, count: number): void {
  if ([packedBytes, lowBytes, highBytes].every(Number.isSafeInteger)) return;
  throw new ArgumentError("count", "elements whose bytes have places below 2^53", String(count));
}
