import { OwnOperations } from "./own-operations.js";
import type { Reduction } from "@stowage/mpi-abi";
import type { Message } from "../../message/place/message.js";
import { ANYTHING, givenOptions, rulesOf } from "../../option-rules.js";
import { arrivingReduction, stagingOf } from "./arriving-reduction.js";
import { FellowSteps } from "./fellow-steps.js";
import { basicNameOf, moveOfOperation } from "./move-of-operation.js";
import { ScheduleSteps, runSchedule, type Schedule } from "./schedule.js";
import { shortOperation, type OperationName } from "./operation-name.js";
import { packedReduction } from "./packed-reduction.js";
import { PartMessages, STREAM_KINDS } from "./part-messages.js";
import type { ReductionCall } from "./reduction-call.js";
import { planReduction, type ReductionPlan, type ReductionCarrier } from "./reduction-plan.js";
import { Request, requestCell } from "../../message/requests/request.js";
import type { Status } from "../../message/requests/status.js";
import { Collective, type Operation } from "../collectives/collective.js";
import type { Given } from "../collectives/collective-buffers.js";
import type { Endpoint } from "../endpoint.js";
import type { Sender } from "../collectives/peer-exchange.js";
import { ReductionCalls } from "./reduction-calls.js";

/** Options of a reduction. */
export interface ReduceOptions {
  /** The predefined operation that combines elements, such as "max" or "MPI_MAX". Default: "sum". */
  readonly op?: OperationName<Reduction>;
}

/** What carries parts of packed streams between ranks that agreed to reduce so. */
interface Carrying {
  readonly carrier: ReductionCarrier;
  readonly comm: Sender & {
    readonly rank: number;
    readonly size: number;
    iprobe(): Status | undefined;
    recv(message: Message, source: number, options: { readonly tag: number }): Status;
    free(): void;
  };
}

const AMONG_OTHERS = 'settings.operations of "mpi" among others';

/** What errors call a reduction whose operation is ours. */
const subjectOf = ({ name, op, input }: ReductionCall): string =>
  `${name} by an operation of ours, for this MPI's own ${op} of ${basicNameOf(input.type)} is wrong`;

/** Tags of one reduction after another: what one that failed left behind is no part of the next. */
const TAGS = 2 ** 13;

/**
 * Reductions (MPI 4.1, sections 6.9 to 6.11), element by element, each as a call that blocks and as one that begins.
 * Elements may be scattered: of any datatype that is made of one basic type, where MPI itself takes derived datatypes
 * with operations of users alone. All ranks give as many elements of the same basic type.
 */
export class Reductions {
  readonly #endpoint: Endpoint;
  readonly #of: ReductionCalls;
  #carrying: Carrying | undefined;
  #reductions = 0;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#of = new ReductionCalls(endpoint);
  }

  reduce(sent: Given, received: Message | undefined, options: ReduceOptions = {}, root = 0): Operation {
    return this.#operation(this.#of.reduceOf(sent, received, opOf(options), root));
  }

  allreduce(sent: Given, received: Message, options: ReduceOptions = {}): Operation {
    return this.#operation(this.#of.reductionOf("allreduce", sent, received, opOf(options)));
  }

  reduceScatterBlock(sent: Given, received: Message, options: ReduceOptions = {}): Operation {
    return this.#operation(this.#of.reduceScatterOf(sent, received, opOf(options)));
  }

  reduceScatter(sent: Given, received: Message, counts: readonly number[], options: ReduceOptions = {}): Operation {
    return this.#operation(this.#of.reduceScatterOf(sent, received, opOf(options), counts));
  }

  scan(sent: Given, received: Message, options: ReduceOptions = {}): Operation {
    return this.#operation(this.#of.reductionOf("scan", sent, received, opOf(options)));
  }

  exscan(sent: Given, received: Message, options: ReduceOptions = {}): Operation {
    return this.#operation(this.#of.reductionOf("exscan", sent, received, opOf(options)));
  }

  planReduction(message: Message, options: ReduceOptions = {}): ReductionPlan {
    const call = this.#of.reductionOf("allreduce", message, message, opOf(options));
    const plan = this.#plan(call);
    if (plan.carrier !== "packed" || !this.#takesOurs(call)) return plan;
    const reason = `${plan.reason}; by an operation of ours, for ${this.#endpoint.context.native.mpi.name}'s own ${call.op} is wrong`;
    return { ...plan, reason };
  }

  /** All ranks agreed. */
  carryBy(carrying: Carrying): void {
    this.#carrying = carrying;
  }

  /**
   * Ends with its communicator. What reductions that were given up left there is received first: MPICH from 4.2 on
   * frees no communicator that has messages in it.
   */
  free(): void {
    const comm = this.#carrying?.comm;
    for (let left = comm?.iprobe(); left !== undefined; left = comm?.iprobe())
      comm?.recv(new Uint8Array(left.sizeBytes), left.source, { tag: left.tag });
    comm?.free();
  }

  #plan({ op, input }: ReductionCall): ReductionPlan {
    const { carrier } = this.#carrying ?? { carrier: "packed" };
    const move = moveOfOperation(op, input.type);
    return planReduction({ carrier, ranks: this.#endpoint.size, sizeBytes: input.sizeBytes, move });
  }

  #packed(call: ReductionCall, isOurs: boolean): Operation {
    const { context, rank } = this.#endpoint;
    return new Collective(this.#endpoint, packedReduction(context, call, rank, isOurs));
  }

  /** Where the MPI's own operation is wrong, whatever the size and the carrier. */
  #takesOurs({ op, input }: ReductionCall): boolean {
    return (
      this.#endpoint.settings.operations !== "mpi" && this.#endpoint.context.only(OwnOperations).isWrong(op, input.type)
    );
  }

  #operation(call: ReductionCall): Operation {
    if (this.#plan(call).carrier !== "packed") return this.#arriving(call);
    return this.#takesOurs(call) ? this.#ours(call) : this.#packed(call, false);
  }

  /**
   * MPIs take other algorithms for an operation that a program made than for their own: a rank that gives the MPI's own
   * would wait for ever, or make another result.
   */
  #ours(call: ReductionCall): Operation {
    const { context, fellows, settings } = this.#endpoint;
    const packed = (): Operation => this.#packed(call, true);
    const haveCome = (): boolean => fellows.haveCome(subjectOf(call), AMONG_OTHERS, settings.timeoutMs);
    return {
      run: () => {
        fellows.require(subjectOf(call), AMONG_OTHERS, settings.timeoutMs);
        packed().run();
      },
      begin: () => {
        if (haveCome()) return packed().begin();
        const steps = new FellowSteps(packed().begin(), haveCome);
        return new Request(context, requestCell(context), { subject: call.name, begin: () => steps });
      },
    };
  }

  #arriving(call: ReductionCall): Operation {
    const begin = (): Request => {
      const steps = new ScheduleSteps(this.#schedule(call));
      const ending = { subject: call.name, cancellable: true, begin: () => steps };
      return new Request(this.#endpoint.context, requestCell(this.#endpoint.context), ending);
    };
    const run = (): void => {
      if (this.#endpoint.mayBlock({})) runSchedule(this.#schedule(call));
      else this.#endpoint.waited(begin(), {});
    };
    return { run, begin };
  }

  #schedule(call: ReductionCall): Schedule {
    const { comm } = this.#carrying as Carrying;
    const move = moveOfOperation(call.op, call.input.type);
    const tag = STREAM_KINDS * (this.#reductions++ % TAGS);
    const messages = new PartMessages(comm, tag, stagingOf(this.#endpoint.context, call), call.name);
    return arrivingReduction(this.#endpoint.context, call, move as NonNullable<typeof move>, messages);
  }
}

const REDUCE_OPTIONS = rulesOf<ReduceOptions>({ op: ANYTHING });
const opOf = (options: ReduceOptions): Reduction => shortOperation(givenOptions(options, REDUCE_OPTIONS).op ?? "sum");
