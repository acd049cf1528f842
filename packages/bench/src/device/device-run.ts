import type { Prepared } from "../contender.js";
import { summarise } from "../sample.js";
import type { Gpu } from "./gpu.js";
import type { Output } from "./output.js";

/** What a contender does on a GPU: sends its work to the stream, and waits for it as its users would. */
export interface DeviceRun {
  readonly contender: string;
  /** Chooses, compiles and binds afresh; absent where nothing is committed. */
  readonly commit?: () => Disposable;
  readonly output: Output;
  /** Sends the work; what it returns waits for it. */
  readonly send: () => { wait(): void };
  /** The public call and its wait, where there is one. */
  readonly call?: () => void;
  readonly [Symbol.dispose]: () => void;
}

/** A device run as cells measure it: wall time of sending and waiting; on a real device, time between events too. */
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
