// One-sided operations with derived types on both sides, under every sort of epoch, by every route.
import { contiguous, hvector, indexed, predefined, resized, vector } from "@stowage/ir";
import { hostMemory } from "@stowage/backend-api";
import { BridgeError, MpiTimeoutError } from "@stowage/mpi-bridge";
import { before, double, next } from "./elements.mjs";
import { check, equal, matches, mpi, rank, size, thrown, world } from "./checks.mjs";

/** 24 doubles each, laid out in different ways. */
const LAYOUTS = {
  doubles: [double, 24],
  block: [contiguous(24, double), 1],
  vector: [vector(4, 2, 3, double), 3],
  indexed: [indexed([2, 1, 3], [5, 0, 9], double), 4],
  resized: [resized(0, 40, vector(2, 1, 2, double)), 12],
  backwards: [hvector(3, 1, -16, double), 8],
};
const DOUBLES = 128;
const TURNS = 5;
const ORIGIN_DOUBLES = 8;
const filled = (seed) => Float64Array.from({ length: DOUBLES }, (_, i) => seed * 1000 + i);
const spanOf = (values) => ({ memory: hostMemory(values), originBytes: 8 * ORIGIN_DOUBLES });
const message = (values, [datatype, count]) => ({ buffer: spanOf(values), datatype, count });
const target = ([datatype, count]) => ({ displacement: ORIGIN_DOUBLES, datatype, count });

/** Which double of a buffer each of the 24 is, in packed order. */
function placesOf([datatype, count]) {
  const type = mpi.commit(datatype);
  const packed = new Float64Array(24);
  type.committed.pack(spanOf(filled(0)), packed, { count }).wait();
  type[Symbol.dispose]();
  return [...packed];
}
const PLACES = new Map(Object.values(LAYOUTS).map((layout) => [layout, placesOf(layout)]));

function withWindow(values, options, work) {
  const window = mpi.createWindow(world, values, options);
  try {
    work(window);
  } finally {
    window.free();
  }
}

const COMBINE = { put: (_, b) => b, sum: (a, b) => a + b, replace: (_, b) => b, max: (a, b) => Math.max(a, b) };
const EPOCHS = {
  fence: (window, work) => {
    window.fence();
    work();
    window.fence({ last: true });
  },
  lock: (window, work) => {
    window.lock(next, "exclusive");
    work();
    window.unlock(next);
  },
  flush: (window, work) => {
    window.lockAll();
    work();
    window.flush(next);
    window.unlockAll();
  },
};

/** Every layout as origin and as target; in all pairs where there is time. */
const names = Object.keys(LAYOUTS);
const isLong = process.env.STOWAGE_TEST_ALL === "1";
const PAIRS = names.flatMap((from, i) =>
  names.filter((_, j) => isLong || j === (i + 1) % names.length).map((into) => [from, into]),
);

for (const route of ["native", "packed", "auto"]) {
  for (const [epoch, inEpoch] of Object.entries(EPOCHS)) {
    if (route !== "native" && epoch !== "fence") continue; // a target under a lock packs nothing
    const held = filled(rank);
    withWindow(held, { unitBytes: 8, route }, (window) => {
      for (const [from, into] of PAIRS) checkPair(window, held, inEpoch, from, into, `by ${route} under ${epoch}`);
    });
  }
}

function checkPair(window, held, inEpoch, fromName, intoName, how) {
  const [from, into] = [LAYOUTS[fromName], LAYOUTS[intoName]];
  const [reads, writes] = [PLACES.get(from), PLACES.get(into)];
  const about = `${fromName} to ${intoName} ${how}`;
  for (const [act, combine] of Object.entries(COMBINE)) {
    check(`${act} of ${about}`, () => {
      held.set(filled(rank));
      const origin = message(filled(rank + 10), from);
      world.barrier();
      inEpoch(window, () => {
        if (act === "put") window.put(origin, next, target(into));
        else window.accumulate(origin, next, target(into), { op: act });
      });
      world.barrier();
      const expected = filled(rank);
      reads.forEach((at, i) => {
        expected[writes[i]] = combine(expected[writes[i]], filled(before + 10)[at]);
      });
      equal(held, expected);
    });
  }
  check(`get of ${about}`, () => {
    held.set(filled(rank));
    const got = filled(50);
    world.barrier();
    inEpoch(window, () => window.get(message(got, from), next, target(into)));
    world.barrier();
    const expected = filled(50);
    reads.forEach((at, i) => (expected[at] = filled(next)[writes[i]]));
    equal(got, expected);
    equal(held, filled(rank));
  });
}

check("several operations of one epoch reach several ranks", () => {
  for (const route of ["native", "packed"]) {
    const held = new Float64Array(2 * size);
    withWindow(held, { unitBytes: 8, route }, (window) => {
      window.fence();
      for (let to = 0; to < size; to++) {
        window.put(Float64Array.of(rank + 1), to, { displacement: rank });
        window.accumulate(Float64Array.of(2 ** rank), to, { displacement: size }, { op: "sum" });
      }
      window.fence();
      equal(held.subarray(0, size + 1), [...Array.from({ length: size }, (_, i) => i + 1), 2 ** size - 1]);
      const all = new Float64Array(size);
      for (let from = 0; from < size; from++) window.get(all.subarray(from, from + 1), from, { displacement: rank });
      window.fence({ last: true });
      equal(all, new Array(size).fill(rank + 1));
    });
  }
});

check("accumulates go by the route that is expected to take less, in their order, and say why", () => {
  const scattered = vector(64, 1, 2, double);
  const from = { buffer: Float64Array.from({ length: 128 }, (_, i) => i), datatype: scattered, count: 1 };
  const held = new Float64Array(128);
  withWindow(held, { unitBytes: 8 }, (window) => {
    window.fence();
    const unknown = window.planAccumulate(from, next);
    if (size === 1) matches({ message: unknown.reason }, /^the window has one rank/);
    for (const op of ["MPI_SUM", "prod", "MPI_REPLACE"]) window.accumulate(from, next, {}, { op });
    // Behind a packed one, though it lies side by side.
    const behind = window.planAccumulate(new Float64Array(4), next);
    window.accumulate(Float64Array.of(5), next, { displacement: 2 });
    window.fence();
    equal(
      held,
      Float64Array.from({ length: 128 }, (_, i) => (i % 2 === 1 ? 0 : i === 2 ? 7 : i)),
    );
    if (size > 1) {
      matches(
        { message: behind.reason },
        unknown.route === "packed" ? /^one before it in this epoch/ : /^elements side by side/,
      );
      const { route, reason, nativeNs, packedNs } = window.planAccumulate(from, next);
      equal(route, packedNs < nativeNs ? "packed" : "native");
      matches({ message: reason }, /^[\d.]+ us by the MPI, [\d.]+ us packed, by what 64 blocks took here$/);
      equal(window.planAccumulate(new Float64Array(4), next).reason, "elements side by side on both sides");
    }
    window.fence({ last: true });
    window.lock(next);
    equal(window.planAccumulate(from, next).route, size === 1 ? "packed" : "native");
    window.unlock(next);
  });
});

check("accumulates of many ranks under locks are each whole", () => {
  const sums = new Float64Array(3);
  withWindow(sums, { unitBytes: 8 }, (window) => {
    world.barrier();
    for (let i = 0; i < TURNS; i++) {
      window.lock(0, "shared");
      window.accumulate(Float64Array.of(1, rank, 2), 0);
      window.unlock(0);
    }
    world.barrier();
    if (rank === 0) equal(sums, [TURNS * size, (TURNS * size * (size - 1)) / 2, 2 * TURNS * size]);
  });
});

check("an operation that cannot be is refused in a line, and nothing is moved", () => {
  const held = new Float64Array(4);
  withWindow(held, { unitBytes: 8 }, (window) => {
    const vectorOf = vector(3, 1, 2, predefined("MPI_DOUBLE"));
    matches(
      thrown(() => window.put(new Float64Array(1), next)),
      /^put to rank \d: expected an epoch, by fence or lock, got none$/,
    );
    window.fence();
    matches(
      thrown(() => window.put(new Float64Array(3), next, { datatype: vectorOf, displacement: 0 })),
      /^put to rank \d: expected bytes within its window of 32, got bytes \[0, 40\)$/,
    );
    matches(
      thrown(() => window.get(new Float64Array(4), next, { displacement: 1 })),
      /^get to rank \d: expected bytes within its window of 32, got bytes \[8, 40\)$/,
    );
    matches(
      thrown(() => window.put(new Float64Array(1), next, { datatype: "MPI_INT64_T" })),
      /^put to rank \d: expected the same basic types on both sides, got element 0: MPI_DOUBLE sent, MPI_INT64_T received$/,
    );
    matches(
      thrown(() => window.put(new Float64Array(3), next, { datatype: "MPI_DOUBLE", count: 2 })),
      /^put to rank \d: expected a target of the origin's 24 bytes, got 2 elements of 8$/,
    );
    matches(
      thrown(() => window.put(held, size)),
      /^put to a rank: expected one of 0 to \d, got \d$/,
    );
    matches(
      thrown(() => window.accumulate(held, next, {}, { op: "most" })),
      /^op of an accumulate: expected one of MPI's, such as sum, got "most"$/,
    );
    matches(
      thrown(() => window.lock(next)),
      /^lock of a window: expected a last fence before it, got an open epoch$/,
    );
    window.fence({ last: true });
    matches(
      thrown(() => window.unlock(next)),
      /^unlock of a window: expected a rank that is locked, got \d$/,
    );
    matches(
      thrown(() => window.flush()),
      /^flush of a window: expected a rank that is locked, got none$/,
    );
    matches(
      thrown(() => mpi.createWindow(world, held, { unitBytes: 0 })),
      /^options of a window: unitBytes: expected an integer from 1 to 2147483647, got 0$/,
    );
    equal(held, [0, 0, 0, 0]);
  });
});

check("a fence with a time limit that a rank does not reach ends", () => {
  if (size === 1) return;
  const held = new Float64Array(4);
  withWindow(held, { unitBytes: 8 }, (window) => {
    if (rank === 0) {
      const error = thrown(() => window.fence({ timeoutMs: 50 }));
      equal(error instanceof MpiTimeoutError, true);
    }
    world.barrier();
    window.fence(); // goes on where it was given up
    window.put(Float64Array.of(rank), next);
    window.fence({ last: true });
    equal(held[0], before);
  });
});

check("a freed window is refused", () => {
  const window = mpi.createWindow(world, new Float64Array(4));
  window.free();
  const error = thrown(() => window.put(new Float64Array(1), 0));
  equal(error instanceof BridgeError, true);
  matches(error, /^window: expected one in use, got a freed one$/);
});
