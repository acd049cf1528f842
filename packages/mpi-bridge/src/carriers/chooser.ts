import { unsupported } from "@stowage/backend-api";
import { BridgeError } from "../errors.js";
import type { Context } from "../message/context.js";
import type { BridgeType } from "../message/datatype/bridge-type.js";
import { askedCarrier, type Hints } from "../message/datatype/hints.js";
import { sizeClassOf } from "../message/datatype/pack-figures.js";
import { DEVICE_FORMS } from "../message/devices/device-forms.js";
import { isOnHost, mayShrink, type Placed } from "../message/place/placed.js";
import { Awareness } from "./awareness.js";
import type { BoundTerms } from "./bound/bound-regions.js";
import type { Regions } from "./bound/regions.js";
import type { Carrier, MemberCarrier, Outgoing, PlainCarrier } from "./carrier.js";
import { CARRIERS } from "./carriers.js";
import { Explanation, type CarrierAnswer } from "./explanation.js";
import type { FramingOptions } from "./framed/framing-options.js";
import { PIECE_BYTES } from "./nccl/pieces.js";
import type { Ranks } from "./ranks.js";
import { Trials } from "./trials.js";

/** Measuring and compiling cost about what packing so many bytes does: a type that moves fewer does not repay them. */
const REPAYING_BYTES = 1024 * 1024;

/** Choices that are kept of a datatype, and peers of which any are. */
const MOST_KNOWN = 256;
/** Peers of whom nothing is learned. */
const ANY_PEER = -1;
const USES: readonly Outgoing["use"][] = ["call", "begun", "collective", "bound"];

/** A carrier, and why it. */
export interface Choice<C extends Carrier = Carrier> {
  readonly carrier: C;
  /** Which form of it: of elements in a device's memory that are packed; else its name. */
  readonly form: string;
  readonly reason: string;
  /** Where the message goes by a carrier on trial: to be called once it is over. */
  readonly over?: () => void;
}

/** What is known of messages of a datatype, a size class (of a device's memory: a count), a use, hints and a peer. */
interface Known<C extends Carrier> {
  readonly able: readonly C[];
  readonly predicted: Choice<C>;
  /** Where messages may tell more. */
  readonly trials: Trials | undefined;
  measured?: Choice<C>;
}

/** What was asked of a use last, and known of it. */
interface Last<C extends Carrier> {
  readonly type: BridgeType;
  readonly hints: Hints;
  readonly key: number;
  readonly known: Known<C>;
}

type ByType<C extends Carrier> = WeakMap<BridgeType, Map<number, Known<C>>>;

/**
 * Chooses the carrier of every message: of a call that blocks, of one that begins, of a persistent one, of a side of a
 * collective, of a list. Carriers that do not serve the communicator's receivers, or do not support the message, are
 * left out; a hint may ask for one of the others; else it is the one of the least predicted time, until messages of the
 * datatype and the size class have told their own times, which decide from then on (see Trials).
 */
export class Chooser<C extends Carrier> {
  readonly #context: Context;
  readonly #all: readonly Carrier[];
  readonly #admitted: readonly C[];
  /** By a communicator's hints, and by peer where carriers learn of peers. */
  #byHints = new WeakMap<Hints, Map<number, ByType<C>>>();
  readonly #trials = new WeakMap<BridgeType, Map<number, Trials>>();
  /** Those that learn of peers. */
  readonly #learners: readonly C[];
  #learned = 0;
  /** Of each use. */
  readonly #last: (Last<C> | undefined)[] = USES.map(() => undefined);

  constructor(context: Context, all: readonly Carrier[], admitted: readonly C[]) {
    this.#context = context;
    this.#all = all;
    this.#admitted = admitted;
    this.#learners = admitted.filter((carrier) => carrier.learned !== undefined);
  }

  /** The carrier of a message whose own time nobody tells. */
  choose(message: Outgoing, hints: Hints): Choice<C> {
    return chosen(this.#of(message, hints));
  }

  /**
   * The carrier of regions that all ranks bind: the one that is predicted to take least on the rank where it takes
   * most. All ranks call it, each with its own regions as messages, and get the same.
   */
  chooseTogether(regions: Regions, messages: readonly Outgoing[], terms: BoundTerms): Choice<C> {
    for (const carrier of this.#admitted) carrier.meetToBind?.(regions, terms);
    const able = this.#admitted.filter((carrier) => carrier.supports(messages, terms).ok);
    const isFree = able.length > 1 && messages.length > 0;
    const own = this.#admitted.map((carrier) => {
      if (!able.includes(carrier)) return Infinity;
      return isFree ? carrier.predict(messages).totalNs : 0;
    });
    const all = new Float64Array(own.length * terms.ranks.size);
    terms.ranks.allgather(Float64Array.from(own), all);
    const worst = own.map((_, i) => Math.max(...all.filter((__, at) => at % own.length === i)));
    const carrier = this.#admitted[worst.indexOf(Math.min(...worst))] as C;
    return { carrier, form: carrier.name, reason: "the least predicted time" };
  }

  /** The carrier of a message that begins, or blocks: the one that is known, or else one that is tried. */
  begin(role: string, message: Outgoing, hints: Hints): Choice<C> {
    const known = this.#of(message, hints);
    const { trials } = known;
    if (trials === undefined || trials.isOver) return chosen(known);
    const tried = triedChoice(role, known, trials);
    const startMs = performance.now();
    return { ...tried, over: () => trials.tell(role, tried.carrier.name, startMs, performance.now()) };
  }

  /** What every carrier answers, and which is chosen. Nothing is sent. */
  explain(message: Outgoing, hints: Hints): Explanation {
    const answers = this.#all.map((carrier): CarrierAnswer => {
      const { name } = carrier;
      const support = this.#isAdmitted(carrier)
        ? carrier.supports([message])
        : unsupported(NOT_ADMITTED[carrier.receivers]);
      if (!support.ok) return { carrier: name, support };
      const prediction = carrier.predict([message]);
      const measuredNs = this.#trialsOf(message.placed)?.measuredNs(name);
      return { carrier: name, support, prediction, ...(measuredNs === undefined ? {} : { measuredNs }) };
    });
    const { carrier, form, reason } = this.choose(message, hints);
    const { placed } = message;
    const chosen = { carrier: carrier.name, form, reason };
    return new Explanation({ ...chosen, sizeBytes: placed.sizeBytes, isOnDevice: !isOnHost(placed), answers });
  }

  #isAdmitted(carrier: Carrier): boolean {
    return this.#admitted.some((each) => each === carrier);
  }

  #of(message: Outgoing, hints: Hints): Known<C> {
    const { placed, use } = message;
    const at = USES.indexOf(use);
    // Apart: memory that may shrink, and elements in a device's memory, by their number.
    const shape = isOnHost(placed) ? 2 * sizeClassOf(placed) + (mayShrink(placed) ? 1 : 0) : 128 + placed.count;
    const key = USES.length * shape + at;
    // Where nothing is learned of peers, messages like the last one of their use go as that did.
    const last = this.#last[at];
    if (last !== undefined && last.type === placed.type && last.hints === hints && last.key === key) return last.known;
    const byType = this.#choicesFor(message, hints);
    let own = byType.get(placed.type);
    if (own === undefined) byType.set(placed.type, (own = new Map<number, Known<C>>()));
    let known = own.get(key);
    if (known === undefined) {
      if (own.size >= MOST_KNOWN) own.clear();
      own.set(key, (known = this.#decided([message], hints)));
    }
    if (this.#learners.length === 0) this.#last[at] = { type: placed.type, hints, key, known };
    return known;
  }

  /** Hints are told apart as objects: those of settings are frozen. */
  #choicesFor({ peer = ANY_PEER }: Outgoing, hints: Hints): ByType<C> {
    let learned = 0;
    for (const carrier of this.#learners) learned += carrier.learned ?? 0;
    // What was chosen for a peer may be so no more.
    if (learned !== this.#learned) this.#byHints = new WeakMap();
    this.#learned = learned;
    let byPeer = this.#byHints.get(hints);
    if (byPeer === undefined) this.#byHints.set(hints, (byPeer = new Map<number, ByType<C>>()));
    const key = this.#learners.length === 0 ? ANY_PEER : peer;
    let known = byPeer.get(key);
    if (known !== undefined) return known;
    if (byPeer.size >= MOST_KNOWN) byPeer.clear();
    byPeer.set(key, (known = new WeakMap()));
    return known;
  }

  #decided(messages: readonly Outgoing[], hints: Hints): Known<C> {
    const able = this.#admitted.filter((carrier) => carrier.supports(messages).ok);
    const asked = this.#asked(messages, hints);
    if (asked !== undefined) return alone(asked);
    const [{ placed }] = messages as readonly [Outgoing];
    const [only, ...others] = able;
    const isOnDevice = !isOnHost(placed);
    if (only !== undefined && others.length === 0 && !isOnDevice)
      return alone({ carrier: only, form: only.name, reason: "no other carrier takes it" });
    const reuse = placed.type.hints.reuse ?? hints.reuse ?? Infinity;
    if (only?.name === "native" && reuse * placed.sizeBytes < REPAYING_BYTES)
      return alone({ carrier: only, form: only.name, reason: "so few bytes do not repay packing" });
    const predicted = able
      .map((carrier) => ({ carrier, prediction: carrier.predict(messages) }))
      .sort((a, b) => a.prediction.totalNs - b.prediction.totalNs);
    const [best] = predicted;
    if (best === undefined)
      throw new BridgeError("message of device memory", "a backend that packs it", "none (stowage doctor says why)");
    const { carrier, prediction } = best;
    const why = isOnDevice ? `; ${this.#context.only(Awareness).reason}` : "";
    const form = isOnDevice ? (prediction.forms[0]?.form ?? carrier.name) : carrier.name;
    const choice = { carrier, form, reason: `the least predicted time${why}` };
    return { able, predicted: choice, trials: isOnDevice ? undefined : this.#trialsFor(placed) };
  }

  /** What hints ask for, a form or a carrier, where it takes the messages; a datatype's go before a communicator's. */
  #asked(messages: readonly Outgoing[], hints: Hints): Choice<C> | undefined {
    const [{ placed }] = messages as readonly [Outgoing];
    const isOnDevice = !isOnHost(placed);
    const asked = askedCarrier(placed.type.hints, isOnDevice) ?? askedCarrier(hints, isOnDevice);
    if (asked === undefined) return undefined;
    const asking = messages.map((message) => ({ ...message, isAsked: true }));
    const able = this.#admitted.filter((carrier) => carrier.supports(asking).ok);
    const formsOf = (carrier: C): readonly string[] =>
      isOnDevice ? carrier.predict(asking).forms.map(({ form }) => form) : [carrier.name];
    const reason = "asked for by a hint";
    const ofForm = able.find((carrier) => formsOf(carrier).includes(asked));
    if (ofForm !== undefined) return { carrier: ofForm, form: asked, reason };
    const carrier = able.find(({ name }) => name === asked);
    if (carrier !== undefined) return { carrier, form: formsOf(carrier)[0] ?? carrier.name, reason };
    if (isOnDevice && asked === "device") this.#context.only(Awareness).require();
    if (this.#all.every(({ name }) => name !== asked) && !DEVICE_FORM_NAMES.has(asked)) throw this.#unknown(asked);
    return undefined;
  }

  #unknown(asked: string): BridgeError {
    const names = [...this.#all.map(({ name }) => name), ...DEVICE_FORM_NAMES].join(", ");
    return new BridgeError("carrier of a hint", `one of ${names}`, asked);
  }

  #trialsOf(placed: Placed): Trials | undefined {
    return this.#trials.get(placed.type)?.get(sizeClassOf(placed));
  }

  /** The trials among all carriers that support messages of this kind, whoever asks first. */
  #trialsFor(placed: Placed): Trials {
    const known = this.#trialsOf(placed);
    if (known !== undefined) return known;
    const own = this.#trials.get(placed.type) ?? new Map<number, Trials>();
    this.#trials.set(placed.type, own);
    const able = this.#admitted.filter((carrier) => carrier.supports([{ placed, use: "call" }]).ok);
    const trials = new Trials(able.map(({ name }) => name));
    own.set(sizeClassOf(placed), trials);
    return trials;
  }
}

/** Forms of elements in a device's memory that hints name too. */
const DEVICE_FORM_NAMES: ReadonlySet<string> = new Set(DEVICE_FORMS);

const NOT_ADMITTED: Readonly<Record<Carrier["receivers"], string>> = {
  any: "messages of its communicator begin with a frame",
  members: "its communicator was not duplicated with options that frame messages: its receivers may be C or Python",
};

const alone = <C extends Carrier>(choice: Choice<C>): Known<C> => ({
  ...{ able: [choice.carrier], predicted: choice, trials: undefined },
});

/** By what is known now. */
function chosen<C extends Carrier>(known: Known<C>): Choice<C> {
  const { trials, predicted } = known;
  return trials?.isOver === true ? (known.measured ??= measuredChoice(known, trials)) : predicted;
}

function measuredChoice<C extends Carrier>({ able, predicted }: Known<C>, trials: Trials): Choice<C> {
  const names = able.map(({ name }) => name);
  const carrier = able[names.indexOf(trials.best(predicted.carrier.name, names))] as C;
  return { carrier, form: carrier.name, reason: "the least median of its messages' own times" };
}

function triedChoice<C extends Carrier>(role: string, { able, predicted }: Known<C>, trials: Trials): Choice<C> {
  const name = trials.next(role, predicted.carrier.name);
  const carrier = able.find((each) => each.name === name);
  return carrier === undefined ? predicted : { carrier, form: name, reason: "tried in turn" };
}

/** What plain communicators of one MPI choose by. */
export class PlainCarriers extends Chooser<PlainCarrier> {
  constructor(context: Context) {
    const all = CARRIERS.map((kind) => new kind(context, undefined));
    super(context, all, all.filter(isPlain));
  }
}

/** What one framed communicator chooses by. */
export class MemberCarriers extends Chooser<MemberCarrier> implements Disposable {
  /** All carriers; a frame names one by its place. */
  readonly all: readonly Carrier[];

  constructor(context: Context, options: FramingOptions) {
    const all = CARRIERS.map((kind) => new kind(context, options));
    super(context, all, all.filter(isForMembers));
    this.all = all;
  }

  /** All ranks call it. */
  [Symbol.dispose](): void {
    for (const carrier of this.all.filter(isForMembers)) carrier[Symbol.dispose]?.();
  }

  /**
   * All ranks call it once the communicator is made. Returns the first reason why nothing that was asked for can serve
   * there, the same on all of them.
   */
  meet(ranks: Ranks, gpu: number | undefined): Error | undefined {
    return this.all.filter(isForMembers).flatMap((carrier) => carrier.meet?.(ranks, gpu) ?? [])[0];
  }
}

/** What lists are bound by, among ranks of this package. */
export class BindingCarriers extends Chooser<BindingCarrier> implements Disposable {
  readonly #own: readonly BindingCarrier[];

  constructor(context: Context) {
    const all = CARRIERS.map((kind) => new kind(context, BINDING_OPTIONS));
    const own = all.filter(binds);
    super(context, all, own);
    this.#own = own;
  }

  /** The one of that name, which was asked for. */
  named(name: string): BindingCarrier {
    return this.#own.find((carrier) => carrier.name === name) as BindingCarrier;
  }

  [Symbol.dispose](): void {
    for (const carrier of this.#own) if (isForMembers(carrier)) carrier[Symbol.dispose]?.();
  }
}

/** A carrier that binds lists. */
export type BindingCarrier = Carrier & Required<Pick<Carrier, "bind">>;

const BINDING_OPTIONS: FramingOptions = {
  ...{ chunkBytes: 0, depth: 1, checksSignatures: false, pieceBytes: PIECE_BYTES, devices: "ipc" },
};

const binds = (carrier: Carrier): carrier is BindingCarrier => carrier.bind !== undefined;
const isPlain = (carrier: Carrier): carrier is PlainCarrier => carrier.receivers === "any";
const isForMembers = (carrier: Carrier): carrier is MemberCarrier => carrier.receivers === "members";
