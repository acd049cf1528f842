import { hostMemory } from "@stowage/backend-api";
import { predefined, resized, vector } from "@stowage/ir";
import { findMpis } from "@stowage/mpi-abi";
import { describe, expect, it } from "vitest";
import { CARRIERS } from "../../src/carriers/carriers.js";
import { openMpi, type Communicator, type World } from "../../src/index.js";
import { ADVICE } from "../launch.js";

const hasMpi = findMpis({ ...process.env, STOWAGE_MPI: "" }).length > 0;
let opened: World | undefined;
/** A world of one: every message is to itself. */
const mpi = (): World => (opened ??= openMpi({ finalize: "never" }));

/** Names of all carriers that are registered. */
const names = hasMpi
  ? openMpi({ finalize: "never" })
      .self.explain(new Uint8Array(0))
      .answers.map((a) => a.carrier)
  : [];

const double = predefined("MPI_DOUBLE");
const ROWS = 3000;
const TYPES = {
  scattered: resized(0, 24 * ROWS, vector(ROWS, 2, 3, double)),
  "side by side": resized(0, 24 * ROWS, vector(1, 3 * ROWS, 3 * ROWS, double)),
  short: resized(0, 72, vector(3, 2, 3, double)),
};

const communicators = (): readonly Communicator[] => [mpi().self.dup(), mpi().self.dup({ pipeline: { depth: 2 } })];

it.skipIf(!hasMpi)(`every carrier has a name of its own (${ADVICE} installs an MPI)`, () => {
  expect(new Set(names).size).toBe(CARRIERS.length);
  expect(names.slice(0, 4)).toEqual(["native", "packed", "gapped", "chunked"]);
});

describe.skipIf(!hasMpi).each(names)("%s", (name) => {
  it.each(Object.entries(TYPES))(
    "moves the bytes of elements and no other, or says why it does not: %s",
    (_, datatype) => {
      for (const comm of communicators()) {
        using type = mpi().commit(datatype, { carrier: name });
        const count = 2;
        const doubles = (count * type.extentBytes) / 8;
        const [out, into] = [(i: number) => i, () => -1].map((of) =>
          Float64Array.from({ length: doubles }, (__, i) => of(i)),
        );
        const message = (values: Float64Array) => ({
          ...{ buffer: { memory: hostMemory(values), originBytes: 0 }, datatype: type, count },
        });
        const { answers, carrier, reason } = comm.explain(message(out as Float64Array), 0);
        const answer = answers.find((each) => each.carrier === name);
        if (answer?.support.ok === false) {
          expect(answer.support.reason).toMatch(/^\S[^\n]*$/);
          expect(carrier).not.toBe(name);
        } else {
          expect([carrier, reason]).toEqual([name, expect.stringMatching(/^(asked for by a hint|no other)/)]);
          expect(answer?.prediction?.totalNs).toBeGreaterThan(0);
          expect(answer?.prediction?.totalNs).toBeLessThan(Infinity);
        }
        // Twice at once, so that messages overtake none.
        const receives = [0, 1].map(() => comm.irecv(message(into as Float64Array), 0, { tag: 3 }));
        const sends = [0, 1].map(() => comm.isend(message(out as Float64Array), 0, { tag: 3 }));
        const statuses = [...receives, ...sends].map((request) =>
          request.wait({ timeoutMs: Number(process.env["STOWAGE_HANG_MS"]) }),
        );
        expect(statuses[1]?.sizeBytes).toBe(count * type.sizeBytes);
        const isElement = type.dense !== undefined ? () => true : (i: number) => i % 3 !== 2;
        const wrong = (into as Float64Array).findIndex((value, i) => value !== (isElement(i) ? i : -1));
        expect(wrong).toBe(-1);
        comm.free();
      }
    },
  );
});

it.skipIf(!hasMpi)("memory that may shrink is not shown to the MPI, though memory was that cannot", () => {
  const comm = mpi().self.dup();
  using type = mpi().commit(TYPES.short, { carrier: "native" });
  const message = (store: ArrayBuffer) => ({ buffer: new Float64Array(store), datatype: type, count: 1 });
  const fixed = message(new ArrayBuffer(72));
  const receiveInto = (into: ReturnType<typeof message>, before: () => void) => {
    const receiving = comm.irecv(into, 0);
    before();
    comm.send(fixed, 0);
    return receiving.wait({ timeoutMs: Number(process.env["STOWAGE_HANG_MS"]) });
  };
  expect(receiveInto(fixed, () => undefined).sizeBytes).toBe(48);
  const store = Reflect.construct(ArrayBuffer, [72, { maxByteLength: 144 }]) as ArrayBuffer & {
    resize(bytes: number): void;
  };
  expect(() => receiveInto(message(store), () => store.resize(8))).toThrow(/shrunk since$/);
  comm.free();
});
