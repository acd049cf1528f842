import type { Support } from "@stowage/backend-api";
import type { Context } from "../message/context.js";
import type { FormCost } from "../message/devices/device-forms.js";
import type { Placed } from "../message/place/placed.js";
import type { Shown } from "../message/place/shown.js";
import type { Transfer } from "../message/place/transfer.js";
import type { Task } from "../message/requests/progress.js";
import type { Steps } from "../message/requests/request.js";
import type { BoundRegions, BoundTerms } from "./bound/bound-regions.js";
import type { Regions } from "./bound/regions.js";
import type { Answer } from "./framed/answer.js";
import type { Frame } from "./framed/frame.js";
import type { FramingOptions } from "./framed/framing-options.js";
import type { Wire } from "./framed/wire.js";
import type { Ranks } from "./ranks.js";

/** Elements that are to go, or come, as far as choosing a carrier is concerned. */
export interface Outgoing {
  readonly placed: Placed;
  /** The rank that they go to; undefined where that is not known, or all ranks are (a collective). */
  readonly peer?: number | undefined;
  /**
   * "call": over as the call returns; "begun": under way until it is waited for; "collective": one side of a
   * collective, which MPI may cut between elements; "bound": one of a list that goes again and again.
   */
  readonly use: "call" | "begun" | "collective" | "bound";
  /** Whether a hint asks for the carrier: it vouches for the receiver. */
  readonly isAsked?: boolean;
  /** The form that was chosen, where something is begun. */
  readonly form?: string;
}

/** A message that goes to a member of a framed communicator: what its frame says, and under which tag it goes. */
export interface Addressed extends Outgoing {
  readonly peer: number;
  readonly tag: number;
  readonly call: "MPI_Isend" | "MPI_Issend";
  /** Without an offer. */
  readonly frame: Frame;
  /** The carrier's number among all, which the frame of an offer names. */
  readonly place: number;
}

/** What a form of a carrier is predicted to take until all elements are in place (TEMPI, equations 1 to 3). */
export interface FormPrediction extends Omit<FormCost, "form"> {
  /** The form's name; a carrier of one form has its own name here. */
  readonly form: string;
  /** Nanoseconds of the message itself: T_gpu-gpu or T_cpu-cpu. */
  readonly messageNs: number;
  /** Nanoseconds of pack, message and unpack together. */
  readonly totalNs: number;
}

/** What a carrier is predicted to take. */
export interface Prediction {
  /** Nanoseconds of the quickest form. */
  readonly totalNs: number;
  /** The forms in which the carrier could send, each with its predicted time, the quickest first. */
  readonly forms: readonly FormPrediction[];
}

/**
 * What carriers of any receivers have. A list goes in one of two ways, by who knows of it. `begin`: the sender alone
 * does, each message has an envelope or a frame for a receive to match, and goes once. `bind`: all ranks know it ahead
 * and it repeats, so what a message pays to be matched, offered and answered is paid once, as they meet; then an
 * iteration is one launch or one group on each rank (docs/design/carriers.md). Both are supported, predicted and chosen
 * alike.
 */
interface Common {
  readonly name: string;
  /** Whether it takes messages of a list together, in any of its forms; bound, on such terms. It says why not. */
  supports(messages: readonly Outgoing[], terms?: BoundTerms): Support;
  /** How much it has learned of peers: where that grew, what it supports and predicts may be other than it was. */
  readonly learned?: number;
  /** Predicts the time of a list that it supports by figures alone, without a clock or a device. */
  predict(messages: readonly Outgoing[]): Prediction;
  /**
   * All ranks call it ahead of choosing among carriers for regions that they bind: what stands in the way, the same on
   * all of them, `supports` says from then on.
   */
  meetToBind?(regions: Regions, terms: BoundTerms): void;
  /**
   * Begins a list that both ends know and that goes again and again: a halo's regions are one launch, or one group. All
   * ranks call it and meet; what it returns binds this rank's part, and throws where it cannot. As Kernel.bind is to a
   * backend: the plan that comes of it runs as often as it is called.
   */
  bind?(regions: Regions, terms: BoundTerms): () => BoundRegions;
}

/**
 * Brings messages to receivers that may be C or Python: each is one message of MPI's, of a type that matches theirs
 * (MPI 4.1, section 3.3.1).
 */
export interface PlainCarrier extends Common {
  readonly receivers: "any";
  /** What the MPI is shown of a list's elements, on either side. */
  shown(messages: readonly Outgoing[]): Shown;
  /** The memory and type of each, for the call of MPI that sends or receives it; `pack` readies what is sent. */
  begin(messages: readonly Outgoing[]): readonly Transfer[];
}

/** One message under way to a member of a framed communicator. */
export interface Sending extends Task, Steps {}

/** What a receiver does about an offer: elements are on their way, or it declines, and why. */
export type Taking =
  | {
      readonly kind: "taking";
      /** Whether they are there; throws where they never will be. */
      poll(): boolean;
      /** What the sender is told then; undefined where it listens for nothing. */
      readonly answer: Answer | undefined;
    }
  | { readonly kind: "declined"; readonly reason: string };

/** The first message of a framed one that came with an offer, and where its elements are to be. */
export interface Offered {
  /** Holds the offer, from a byte on. */
  readonly bytes: Uint8Array;
  readonly atBytes: number;
  readonly placed: Placed;
  readonly source: number;
  readonly frame: Frame;
}

/** Brings messages to receivers that run this package too, and agreed on frames: by several messages of MPI's. */
export interface MemberCarrier extends Common {
  readonly receivers: "members";
  /** Sends each message's frame, and does the rest as it is moved on. */
  begin(messages: readonly Addressed[], wire: Wire): readonly Sending[];
  /**
   * What the receiver does about an offer; absent where the carrier makes none. Throws where it will take none from
   * that rank.
   */
  take?(offered: Offered, wire: Wire): Taking;
  /**
   * A receiver takes nothing of an offer, for a fault of its own. Returns what its sender is told; undefined where that
   * listens for nothing. Absent: it is told that the message was taken.
   */
  leave?(offered: Offered): Answer | undefined;
  /**
   * All ranks call it as the communicator is made. Returns why it can never serve there, the same on all of them; where
   * nothing else was asked for, that is thrown.
   */
  meet?(ranks: Ranks, gpu: number | undefined): Error | undefined;
  /** All ranks call it as the communicator is freed. */
  [Symbol.dispose]?(): void;
}

/** One way for messages to go. What is chosen among, and how: `Chooser`. */
export type Carrier = PlainCarrier | MemberCarrier;

/** Makes a carrier for plain communicators, or for one whose ranks agreed on options. */
export type CarrierClass = new (context: Context, options: FramingOptions | undefined) => Carrier;
