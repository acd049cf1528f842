import type { Prepared } from "../contender.js";
import { summarise } from "../sample.js";
import type { Gpu } from "./gpu.js";
import type { Output } from "./output.js";

/** What a contender does on a GPU: it sends its work to the stream, and waits for it as its users would. */
export interface DeviceRun {
  /** The contender's name, as errors say it. */
  readonly contender: string;
  /** Chooses, compiles and binds afresh; absent where nothing is committed. */
  readonly commit?: () => Disposable;
  /** The memory that it writes. */
  readonly output: Output;
  /** Sends the work to the stream. `wait` of what it returns waits until the bytes have moved. */
  readonly send: () => { wait(): void };
  /** Makes the public call and waits for it. Absent where there is none. */
  readonly call?: () => void;
  /** Gives back what the contender holds, but for the output. */
  readonly [Symbol.dispose]: () => void;
}

/**
 * Makes of a device run what cells measure: the wall time of sending and waiting, and on a real device the time between
 * events too.
 */
export function prepare(gpu: Gpu, run: DeviceRun): Prepared {
  return {
    ...(run.commit === undefined ? {} : { commit: run.commit }),
    run: () => run.send().wait(),
    ...(run.call === undefined ? {} : { call: run.call }),
    verify: () => run.output.check(run.contender),
    ...(gpu.driver.simulated ? {} : { eventNs: () => medianEventNs(gpu, run) }),
    [Symbol.dispose]: () => {
      run[Symbol.dispose]();
      run.output[Symbol.dispose]();
    },
  };
}

const EVENT_RUNS = 9;

/** Device time from before to after the work, resolved to about half a microsecond. */
function medianEventNs({ context, stream }: Gpu, { send }: DeviceRun): number {
  using start = context.event({ timed: true });
  using end = context.event({ timed: true });
  const samples = Array.from({ length: EVENT_RUNS }, () => {
    start.record(stream);
    const sent = send();
    end.record(stream);
    sent.wait();
    end.synchronize();
    return end.millisecondsSince(start) * 1e6;
  });
  return summarise(samples).medianNs;
}
