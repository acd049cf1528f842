import type { Endpoint } from "../endpoint.js";
import type { Message } from "../../message/place/message.js";
import { IN_PLACE } from "../../constants.js";
import { BridgeError } from "../../errors.js";
import { intsOf, widesOf } from "../../native/words.js";
import type { CallName } from "../../native/prototypes.js";
import type { Prepared } from "./collective.js";
import type { Given, InPlace, Parts, TypedParts } from "./collective-buffers.js";
import { CollectiveSides, type Placing } from "./collective-sides.js";
import type { Neighbours } from "../topology/neighbours.js";

/** Arguments of each collective, in MPI's order; what only the root gives or gets is absent elsewhere. */
export class CollectiveArguments {
  readonly #endpoint: Endpoint;
  readonly #sides: CollectiveSides;
  readonly #neighbours: () => Neighbours;

  constructor(endpoint: Endpoint, neighbours: () => Neighbours) {
    this.#endpoint = endpoint;
    this.#sides = new CollectiveSides(endpoint);
    this.#neighbours = neighbours;
  }

  bcastOf(message: Message, root: number): Prepared {
    this.#endpoint.requireNumbers("bcast", root, 0);
    requireBoth("MPI_Bcast", message, message);
    return prepared(
      "MPI_Bcast",
      [this.#sides.even(message, this.#endpoint.rank === root ? "reads" : "writes")],
      [root],
    );
  }

  gatherOf(sent: Given, received: Message | undefined, root: number): Prepared {
    const isRoot = this.#isRoot("gather", root, received);
    requireBoth("MPI_Gather", sent, sent);
    const into = this.#sides.even(isRoot ? received : undefined, actOf(sent), this.#endpoint.size);
    return prepared("MPI_Gather", [this.#sides.even(sent, "reads"), into], [root]);
  }

  gathervOf(sent: Given, received: Parts | undefined, root: number): Prepared {
    const isRoot = this.#isRoot("gatherv", root, received);
    requireBoth("MPI_Gatherv", sent, sent);
    const into = this.#sides.parts(isRoot ? received : undefined, actOf(sent), this.#endpoint.size);
    return prepared("MPI_Gatherv", [this.#sides.even(sent, "reads"), into], [root]);
  }

  scatterOf(sent: Message | undefined, received: Given, root: number): Prepared {
    const isRoot = this.#isRoot("scatter", root, sent);
    requireBoth("MPI_Scatter", received, received);
    const from = this.#sides.even(isRoot ? sent : undefined, "reads", this.#endpoint.size);
    return prepared("MPI_Scatter", [from, this.#sides.even(received, "writes")], [root]);
  }

  scattervOf(sent: Parts | undefined, received: Given, root: number): Prepared {
    const isRoot = this.#isRoot("scatterv", root, sent);
    requireBoth("MPI_Scatterv", received, received);
    const from = this.#sides.parts(isRoot ? sent : undefined, "reads", this.#endpoint.size);
    return prepared("MPI_Scatterv", [from, this.#sides.even(received, "writes")], [root]);
  }

  /** `out` equal parts sent, `inward` received. */
  exchange(name: CallName, sent: Given, out: number, received: Message, inward: number): Prepared {
    requireBoth(name, sent, received);
    return prepared(name, [this.#sides.even(sent, "reads", out), this.#sides.even(received, actOf(sent), inward)]);
  }

  oneToParts(name: CallName, sent: Given, received: Parts, inward: number): Prepared {
    requireBoth(name, sent, received);
    return prepared(name, [this.#sides.even(sent, "reads"), this.#sides.parts(received, actOf(sent), inward)]);
  }

  exchangeParts(name: CallName, sent: Parts | InPlace, out: number, received: Parts, inward: number): Prepared {
    requireBoth(name, sent, received);
    const from = sent === IN_PLACE ? this.#sides.inPlaceParts() : this.#sides.parts(sent, "reads", out);
    return prepared(name, [from, this.#sides.parts(received, actOf(sent), inward)]);
  }

  exchangeTyped(name: CallName, sent: TypedParts, out: number, received: TypedParts, inward: number): Prepared {
    requireBoth(name, sent, received);
    const tableOf = name === "MPI_Alltoallw" ? intsOf : widesOf;
    return prepared(name, [
      this.#sides.typedParts(sent, "reads", out, tableOf),
      this.#sides.typedParts(received, "writes", inward, tableOf),
    ]);
  }

  /** Neighbours that this rank receives from. */
  inward(): number {
    return this.#neighbours().sources.length;
  }

  /** Neighbours that it sends to. */
  outward(): number {
    return this.#neighbours().destinations.length;
  }

  /** Whether this rank is the root, which must have given `needed`. */
  #isRoot(subject: string, root: number, needed: unknown): boolean {
    this.#endpoint.requireNumbers(subject, root, 0);
    if (this.#endpoint.rank !== root) return false;
    if (needed === undefined || needed === null)
      throw new BridgeError(`buffer of the root of ${subject}`, "one", "none");
    return true;
  }
}

function prepared(name: CallName, placings: readonly Placing[], rest: readonly number[] = []): Prepared {
  const [args, sides]: [number[], Placing["side"][]] = [[], []];
  for (const placing of placings) {
    args.push(...placing.args);
    sides.push(placing.side);
  }
  args.push(...rest);
  return { name, args, sides };
}

/** Every rank sends and receives: only what a root alone needs may be left out. */
function requireBoth(name: CallName, sent: unknown, received: unknown): void {
  if (sent !== undefined && received !== undefined) return;
  throw new BridgeError(`buffers of ${name}`, "one to send and one to receive into", "undefined");
}

/** What is sent in place is read from where the rest is written. */
const actOf = (sent: unknown): "writes" | "both" => (sent === IN_PLACE ? "both" : "writes");
