import { quoted } from "@stowage/ir";
import type { Message } from "../message/place/message.js";
import { ANY_SOURCE, ANY_TAG } from "../constants.js";
import type { Communicator } from "./communicator.js";
import type { MatchedMessage } from "../carriers/framed/matched-message.js";
import { BridgeError, MpiTimeoutError } from "../errors.js";
import { Pauses } from "../message/requests/pause.js";
import { givenOptions } from "../option-rules.js";
import { WAIT_OPTIONS, type Request, type WaitOptions } from "../message/requests/request.js";
import type { Status } from "../message/requests/status.js";
import { ByEnvelope } from "../progress/by-envelope.js";

/** A receive that a mailbox matches; made by `Mailbox.irecv`. */
export class PostedReceive {
  readonly #mailbox: Mailbox;
  readonly #subject: string;
  readonly #message: Message;
  #begun: Request | undefined;

  /** @internal */
  constructor(mailbox: Mailbox, message: Message, subject: string) {
    this.#mailbox = mailbox;
    this.#message = message;
    this.#subject = subject;
  }

  /** @internal */
  begin(matched: MatchedMessage): void {
    this.#begun = matched.irecv(this.#message);
  }

  /** The status, where the receive is over; undefined while it is under way. Throws the error that ended it. */
  test(): Status | undefined {
    if (this.#begun === undefined) this.#mailbox.advance();
    return this.#begun?.test();
  }

  /** Returns once the receive is over. Throws a MpiTimeoutError where the time limit is reached first. */
  wait(options: WaitOptions = {}): Status {
    const { timeoutMs } = givenOptions(options, WAIT_OPTIONS);
    const end = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs;
    const pauses = new Pauses();
    for (;;) {
      const status = this.test();
      if (status !== undefined) return status;
      if (performance.now() >= end) throw new MpiTimeoutError(this.#subject, timeoutMs as number);
      pauses.next();
    }
  }
}

/**
 * Receives that the bridge matches by a hash of source and tag, where MPIs walk a queue: the time does not grow with
 * how many receives are posted or messages wait (paper: Balaji et al. 2010, sections 3.3 and 3.7). Messages travel over
 * a duplicate of the communicator, so that no receive of another is matched. Sources and tags are named; there is no
 * "any". MPI sees no receive until its message has come: a send that waits for one goes on once the mailbox is asked.
 */
export class Mailbox {
  readonly #comm: Communicator;
  readonly #posted = new ByEnvelope<PostedReceive>();
  readonly #unexpected = new ByEnvelope<MatchedMessage>();

  /** Makes a mailbox over a duplicate of `comm`. All ranks call it. */
  constructor(comm: Communicator) {
    this.#comm = comm.dup();
  }

  /** The communicator to send by, in every mode: what arrives is matched by the mailbox of the other side. */
  get communicator(): Communicator {
    return this.#comm;
  }

  /**
   * Begins to receive. Messages of one source and tag are received in the order in which they were sent. Throws a
   * BridgeError where `source` is no rank or `tag` no integer from 0 to 2^31 - 1.
   */
  irecv(message: Message, source: number, tag: number): PostedReceive {
    requireNamed("source", source, this.#comm.size - 1);
    requireNamed("tag", tag, 2 ** 31 - 1);
    const posted = new PostedReceive(this, message, `recv from ${source} with tag ${tag}`);
    const waiting = this.#unexpected.take(source, tag);
    if (waiting === undefined) this.#posted.add(source, tag, posted);
    else posted.begin(waiting);
    return posted;
  }

  /** Receives a message. Throws as `irecv` and `PostedReceive.wait` do. */
  recv(message: Message, source: number, tag: number, options: WaitOptions = {}): Status {
    return this.irecv(message, source, tag).wait(options);
  }

  /** Takes what has arrived out of MPI's queue, and begins the receives that it is for. */
  advance(): void {
    for (;;) {
      const matched = this.#comm.improbe(ANY_SOURCE, ANY);
      if (matched === undefined) return;
      const { source, tag } = matched.status;
      const posted = this.#posted.take(source, tag);
      if (posted === undefined) this.#unexpected.add(source, tag, matched);
      else posted.begin(matched);
    }
  }

  /** Frees the mailbox's communicator. All ranks call it, once nothing is under way. */
  free(): void {
    this.#comm.free();
  }
}

const ANY = Object.freeze({ tag: ANY_TAG });

function requireNamed(subject: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= most) return;
  throw new BridgeError(`${subject} of a mailbox`, `an integer of 0 to ${most}`, quoted(value));
}
