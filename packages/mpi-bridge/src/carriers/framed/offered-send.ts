import type { Completion } from "@stowage/backend-api";
import { BridgeError } from "../../errors.js";
import { lineOf } from "../../message/line-of.js";
import type { StagingBuffer } from "../../message/place/staging.js";
import { Status } from "../../message/requests/status.js";
import type { Addressed, Sending } from "../carrier.js";
import { ANSWER_BYTES, readAnswer, writeAnswer, type Answer } from "./answer.js";
import type { Fragment } from "./fragment.js";
import { FRAME_BYTES, writeFrame } from "./frame.js";
import type { Wire } from "./wire.js";

/** What a sender offers of one message, by its carrier; the protocol around it is the same for all. */
export interface Offer {
  /** What the receiver's side does, for an error's text. */
  readonly asks: "fetch" | "receive";
  /** Most bytes that `write` writes. */
  readonly mostBytes: number;
  /** Returns how many were written behind the frame. */
  write(bytes: Uint8Array, atBytes: number): number;
  /** The receiver is ready: sends the elements where it is their turn. Absent where the receiver fetches them. */
  depart?(turn: number): Completion | undefined;
  /** Throws where what departed can never arrive. */
  requireHealth?(): void;
  /** An answer came, or an error: what is to be known of that rank from here on. */
  heard?(answer: Answer): void;
  failed?(error: unknown): void;
  /** The elements are no longer needed, nor what held them. */
  release(): void;
}

type State =
  /** The frame went; no answer is there. */
  | { readonly kind: "offered" }
  /** The receiver is ready, and it is not yet its turn. */
  | { readonly kind: "called"; readonly turn: number }
  /** The elements are on their way, and the last answer is not there, or is. */
  | { readonly kind: "departed"; readonly completion: Completion; readonly answer?: Answer }
  | { readonly kind: "taken" }
  /** The receiver has them come otherwise. */
  | { readonly kind: "fallen back"; readonly to: Sending }
  | { readonly kind: "failed"; readonly error: unknown };

/** Polls between two questions whether what departed can still arrive. */
export const POLLS_A_HEALTH = 4096;

/** A message of which an offer goes first: its receiver answers, and where it declines the message falls back. */
export class OfferedSend implements Sending {
  readonly #message: Addressed;
  readonly #wire: Wire;
  readonly #offer: Offer;
  readonly #fallBack: () => Sending;
  #state: State = { kind: "offered" };
  #listening: Fragment | undefined;
  #fragments: Fragment[] = [];
  #isHeld = true;
  #polls = 0;

  constructor(message: Addressed, wire: Wire, offer: Offer, fallBack: () => Sending) {
    this.#message = message;
    this.#wire = wire;
    this.#offer = offer;
    this.#fallBack = fallBack;
    this.#listening = this.#listen();
    const { call, peer, tag, frame, place } = message;
    const buffer = wire.context.staging.take(FRAME_BYTES + offer.mostBytes);
    writeFrame(buffer.bytes, { ...frame, offer: place });
    const bytes = FRAME_BYTES + offer.write(buffer.bytes, FRAME_BYTES);
    this.#fragments.push(wire.send(call, wire.messages, buffer.address, bytes, peer, tag, buffer));
  }

  get isOver(): boolean {
    if (this.#fragments.length > 0) return false;
    const { kind } = this.#state;
    return kind === "fallen back" ? this.#state.to.isOver : kind === "taken" || kind === "failed";
  }

  poll(): Status | undefined {
    if (!this.isOver) return undefined;
    if (this.#state.kind === "failed") throw this.#state.error as Error;
    if (this.#state.kind === "fallen back") return this.#state.to.poll();
    return new Status(this.#message.peer, -1, this.#message.placed.sizeBytes);
  }

  advance(): boolean {
    try {
      this.#fragments = this.#fragments.filter((fragment) => !fragment.hasEnded());
      if (this.#listening?.test() !== undefined) this.#hear(this.#listening);
      if (this.#state.kind === "called") this.#depart(this.#state.turn);
      if (this.#state.kind === "departed") this.#goOn(this.#state);
    } catch (error) {
      this.#fail(error);
    }
    if (this.#state.kind === "fallen back") this.#state.to.advance();
    return this.isOver;
  }

  #listen(): Fragment {
    const { peer, frame } = this.#message;
    const buffer = this.#wire.context.staging.take(ANSWER_BYTES);
    const tag = this.#wire.answerTag(frame.chain);
    return this.#wire.receive(this.#wire.chunks, buffer.address, ANSWER_BYTES, peer, tag, buffer);
  }

  #hear(listening: Fragment): void {
    const answer = readAnswer((listening.staging as StagingBuffer).bytes);
    listening.end();
    this.#listening = undefined;
    this.#offer.heard?.(answer);
    if (answer.kind === "ready") {
      this.#listening = this.#listen();
      this.#state = { kind: "called", turn: answer.turn };
    } else if (answer.kind === "failed") {
      const { peer } = this.#message;
      throw new BridgeError(`send to ${peer}`, `its GPU to ${this.#offer.asks} the message`, answer.reason);
    } else if (this.#state.kind === "departed") this.#state = { ...this.#state, answer };
    else this.#end(answer);
  }

  /** By the last answer. */
  #end(answer: Answer): void {
    this.#release();
    this.#state = answer.kind === "taken" ? { kind: "taken" } : { kind: "fallen back", to: this.#fallBack() };
  }

  #depart(turn: number): void {
    try {
      const completion = this.#offer.depart?.(turn);
      if (completion === undefined) return;
      this.#state = { kind: "departed", completion };
      this.#note({ kind: "ready", turn });
    } catch (error) {
      this.#note({ kind: "failed", reason: lineOf(error) });
      throw error;
    }
  }

  #goOn({ completion, answer }: Extract<State, { kind: "departed" }>): void {
    if (!this.#isHeld || completion.poll()) {
      this.#release();
      if (answer !== undefined) this.#end(answer);
    } else if (++this.#polls % POLLS_A_HEALTH === 0) this.#offer.requireHealth?.();
  }

  /** Tells the receiver what became of this side. */
  #note(answer: Answer): void {
    const { context, chunks } = this.#wire;
    const buffer = context.staging.take(ANSWER_BYTES);
    writeAnswer(buffer.bytes, answer);
    const { peer, frame } = this.#message;
    const to = [chunks, buffer.address, ANSWER_BYTES, peer, this.#wire.noteTag(frame.chain)] as const;
    this.#fragments.push(this.#wire.send("MPI_Isend", ...to, buffer));
  }

  #release(): void {
    if (this.#isHeld) this.#offer.release();
    this.#isHeld = false;
  }

  #fail(error: unknown): void {
    if (this.#state.kind === "failed") return void (this.#fragments = []);
    this.#offer.failed?.(error);
    this.#release();
    this.#state = { kind: "failed", error };
    this.#listening = undefined;
  }
}
