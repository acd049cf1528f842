import { expect, it } from "vitest";
import { TIMED, Trials } from "../../src/carriers/trials.js";

const CARRIERS = ["native", "packed", "gapped"];

/** One message after another, on a clock of its own. */
class Clock {
  readonly #trials: Trials;
  #nowMs = 0;

  constructor(trials: Trials) {
    this.#trials = trials;
  }

  message(role: string, carrier: string, ns: number): void {
    const startMs = this.#nowMs;
    this.#nowMs += ns / 1e6;
    this.#trials.tell(role, carrier, startMs, this.#nowMs);
    this.#nowMs += 1; // the program does something else
  }
}

/** Messages of a role until it is decided, `extraNs` added to each by its number; the best. */
function best(
  takesNs: Readonly<Record<string, number>>,
  extraNs: (message: number) => number = () => 0,
  predicted = "native",
): string | undefined {
  const trials = new Trials(Object.keys(takesNs));
  const clock = new Clock(trials);
  for (let i = 0; i < 200 && !trials.isOver; i++) {
    const carrier = trials.next("send", predicted);
    clock.message("send", carrier, (takesNs[carrier] as number) + extraNs(i));
  }
  return trials.isOver ? trials.best(predicted, Object.keys(takesNs)) : undefined;
}

it("the carrier whose messages took least is chosen, the predicted one where they differ by noise", () => {
  expect(best({ native: 1000, packed: 500 })).toBe("packed");
  expect(best({ native: 500, packed: 1000 })).toBe("native");
  expect(best({ native: 1000, packed: 990 })).toBe("native");
  expect(best({ native: 990, packed: 1000 }, undefined, "packed")).toBe("packed");
  expect(best({ native: 900, packed: 1000 }, undefined, "packed")).toBe("native");
  expect(best({ native: 1000, packed: 900, gapped: 500 })).toBe("gapped");
  expect(best({ native: 1000, packed: 500, gapped: 490 })).toBe("packed");
});

it("only carriers that are able are compared", () => {
  const trials = new Trials(CARRIERS);
  const clock = new Clock(trials);
  while (!trials.isOver) {
    const carrier = trials.next("send", "native");
    clock.message("send", carrier, { native: 1000, packed: 800, gapped: 500 }[carrier] as number);
  }
  expect(trials.best("native", ["native", "packed"])).toBe("packed");
  expect(trials.best("native", ["native"])).toBe("native");
});

it("messages that overlap are one spell: MPI moves the one inside calls for another", () => {
  const trials = new Trials(["native", "packed"]);
  // Four at once, begun at 0, 1, 2 and 3 and ended one after the other: those by the MPI's type inside the first wait.
  const together = (carrier: string, atMs: number, endsMs: readonly number[]): void =>
    endsMs.forEach((endMs, i) => trials.tell("irecv", carrier, atMs + i, atMs + endMs));
  let atMs = 0;
  let batches = 0;
  while (!trials.isOver) {
    const carrier = trials.next("irecv", "native");
    together(carrier, atMs, carrier === "native" ? [40, 41, 42, 43] : [10, 13, 16, 19]);
    atMs += 1000;
    batches++;
  }
  expect(batches).toBe(2 * (TIMED + 1));
  expect([trials.measuredNs("native"), trials.measuredNs("packed")]).toEqual([43e6, 19e6]);
  expect(trials.best("native", ["native", "packed"])).toBe("packed");
});

it("what making types and code takes does not count", () => {
  expect(best({ native: 1000, packed: 500 }, (i) => (i === 1 ? 1e9 : 0))).toBe("packed");
});

it("an interruption of any of the messages decides nothing: late, early, or three of seven", () => {
  const takes = { native: 1000, packed: 800, gapped: 2000 };
  const messages = CARRIERS.length * (TIMED + 1);
  for (let at = 0; at < messages; at++) {
    expect(
      best(takes, (i) => (i === at ? 1e7 : 0)),
      `late message ${at}`,
    ).toBe("packed");
    // Its peer's next message finds it there, and takes next to nothing.
    expect(
      best(takes, (i) => (i === at ? -790 : 0)),
      `early message ${at}`,
    ).toBe("packed");
  }
  const isOfThird = (i: number): boolean => [3, 4, 5, 9, 10, 11, 15, 16, 17].includes(i);
  expect(best(takes, (i) => (isOfThird(i) ? 1e7 : 0))).toBe("packed");
});

it("carriers take turns, so that a slow time meets all of them", () => {
  const trials = new Trials(CARRIERS);
  const clock = new Clock(trials);
  const taken = Array.from({ length: 6 }, () => {
    const carrier = trials.next("recv", "packed");
    clock.message("recv", carrier, 1);
    return carrier;
  });
  expect(taken).toEqual(["packed", "native", "gapped", "packed", "native", "gapped"]);
});

it("who tells nothing stays with the predicted one", () => {
  const trials = new Trials(CARRIERS);
  expect([1, 2, 3].map(() => trials.next("isend", "packed"))).toEqual(["packed", "packed", "packed"]);
});

it("sends and receives count together, and the one waits for the other, but not for ever", () => {
  const trials = new Trials(["native", "packed"]);
  const clock = new Clock(trials);
  const send = (): void => {
    const carrier = trials.next("send", "native");
    clock.message("send", carrier, carrier === "packed" ? 500 : 1000);
  };
  clock.message("recv", "native", 1);
  for (let i = 0; i < 2 * (TIMED + 1); i++) send();
  expect(trials.isOver).toBe(false);
  for (let i = 0; i < 8 * (TIMED + 1); i++) send();
  expect(trials.isOver).toBe(true);
  expect(trials.best("native", ["native", "packed"])).toBe("packed");
  expect(trials.measuredNs("packed")).toBeCloseTo(500, 3);
});
