import { describe, expect, it } from "vitest";
import { currentLoad, isTooBusy, loadBetween, loadText } from "../src/load/load.js";
import { processorTimes } from "../src/load/processor-times.js";

/** A machine's /proc: of each processor user, nice, system, idle, iowait, irq, softirq, steal, guest, guest_nice. */
const proc =
  (processors: readonly (readonly number[])[], own: readonly number[], allowed = "0-7") =>
  (name: string) =>
    ({
      stat: `cpu  1 2 3\n${processors.map((ticks, i) => `cpu${i} ${ticks.join(" ")}\n`).join("")}intr 5`,
      "self/status": `Name:\tnode\nCpus_allowed_list:\t${allowed}\n`,
      "self/stat": `7 (a (b) c) R 1 1 1 0 -1 4194304 99 0 0 0 ${own.join(" ")} 20 0 1 0`,
    })[name] ?? "";

const IDLE = [0, 0, 0, 1000, 0, 0, 0, 0, 0, 0];

describe("the load of a machine", () => {
  it("is what processors did less what this process and its children did", () => {
    const before = processorTimes(proc([IDLE, IDLE], [0, 0, 0, 0]));
    const after = processorTimes(
      proc(
        [
          [50, 10, 20, 1015, 5, 0, 0, 0, 0, 0],
          [40, 0, 0, 1030, 10, 0, 0, 20, 40, 0],
        ],
        [10, 0, 30, 20],
      ),
    );
    // 140 of 200 ticks were busy, of which 60 were our own: 80 in 100 ticks of each processor.
    expect(loadBetween(before, after)).toEqual({ processors: 2, inUseByOthers: 0.8 });
  });

  it("is that of the processors this process may run on", () => {
    const read = (busy: number) =>
      processorTimes(
        proc(
          [IDLE, [busy, 0, 0, 0, 0, 0, 0, 0, 0, 0], IDLE, [busy, 0, 0, 100 - busy, 0, 0, 0, 0, 0, 0]],
          [0, 0, 0, 0],
          "0,2-3",
        ),
      );
    expect(read(5)).toMatchObject({ processors: 3, busyTicks: 5 });
  });

  it("is not known without /proc, or between two moments of one tick", () => {
    const absent = (): string => {
      throw new Error("ENOENT");
    };
    expect(processorTimes(absent)).toBeUndefined();
    const once = processorTimes(proc([IDLE], [0, 0, 0, 0]));
    expect(loadBetween(undefined, once)).toBeUndefined();
    expect(loadBetween(once, once)).toBeUndefined();
  });

  it("is too much where ranks would share processors with it", () => {
    const beside = (inUseByOthers: number, processors = 2) => ({ processors, inUseByOthers });
    expect([0.1, 0.25, 0.4, 2].map((others) => isTooBusy(beside(others), 2))).toEqual([false, false, true, true]);
    expect(isTooBusy(beside(4, 8), 2)).toBe(false);
    expect(isTooBusy(beside(7, 8), 2)).toBe(true);
    expect(isTooBusy(beside(0.1), 16)).toBe(false);
    expect(loadText(beside(1.94))).toBe("1.9 of 2 processors in use by other work");
  });

  it("may take some moments to be gone", async () => {
    let [now, busy] = [0, 0];
    const times = () => {
      now += 100;
      busy += now <= 200 ? 100 : 0;
      return { processors: 1, allTicks: now, busyTicks: busy, ownTicks: 0 };
    };
    expect(await currentLoad(1, times)).toEqual({ processors: 1, inUseByOthers: 0 });
    expect(now).toBe(400);
  });
});
