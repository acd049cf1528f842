import type { Support } from "@stowage/backend-api";
import type { Prediction } from "./carrier.js";

/** What one carrier says of a message. */
export interface CarrierAnswer {
  /** The carrier's name. */
  readonly carrier: string;
  /** Whether the carrier takes the message, or the reason why not. */
  readonly support: Support;
  /** The time that the message is predicted to take, where the carrier supports it. */
  readonly prediction?: Prediction;
  /**
   * The time that messages of this datatype and size took by it, in nanoseconds: medians of sends and receives
   * together, once it is decided.
   */
  readonly measuredNs?: number;
}

/** How a message would go, and why: printed, a line for each carrier. */
export class Explanation {
  /** Packed bytes of the message. */
  readonly sizeBytes: number;
  /** Whether its elements lie in a device's memory. */
  readonly isOnDevice: boolean;
  /** The name of the carrier that is chosen. */
  readonly carrier: string;
  /** The form of the carrier that is chosen: of elements in a device's memory where they are packed; else its name. */
  readonly form: string;
  /** Why it is chosen, in words for the user. */
  readonly reason: string;
  /** What each carrier says, in the order in which they are registered. */
  readonly answers: readonly CarrierAnswer[];

  /** @internal */
  constructor(given: Pick<Explanation, "sizeBytes" | "isOnDevice" | "carrier" | "form" | "reason" | "answers">) {
    this.sizeBytes = given.sizeBytes;
    this.isOnDevice = given.isOnDevice;
    this.carrier = given.carrier;
    this.form = given.form;
    this.reason = given.reason;
    this.answers = given.answers;
  }

  /** The explanation as text: what is chosen, then a line for each carrier; times in microseconds. */
  toString(): string {
    const width = Math.max(...this.answers.map(({ carrier }) => carrier.length));
    const lines = this.answers.map((answer) => {
      const mark = answer.carrier === this.carrier ? "*" : " ";
      return `${mark} ${answer.carrier.padEnd(width)}  ${textOf(answer)}`;
    });
    const form = this.form === this.carrier ? "" : ` (${this.form})`;
    return [`${this.sizeBytes} bytes go by ${this.carrier}${form}: ${this.reason}`, ...lines].join("\n");
  }

  /** As console.log prints it. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return this.toString();
  }
}

function textOf({ support, prediction, measuredNs }: CarrierAnswer): string {
  if (!support.ok) return `no: ${support.reason}`;
  const forms = prediction?.forms ?? [];
  const texts = forms.map(({ form, totalNs }) => (forms.length > 1 ? `${form} ${micros(totalNs)}` : micros(totalNs)));
  const measured = measuredNs === undefined ? "" : `, measured ${micros(measuredNs)}`;
  return `predicted ${texts.join(", ")}${measured}`;
}

const micros = (ns: number): string => `${(ns / 1000).toFixed(1)} us`;
