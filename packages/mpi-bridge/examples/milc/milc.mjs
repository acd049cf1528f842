// The communication of lattice quantum chromodynamics, after Hoefler and Gottlieb 2010:
// mpirun -n 4 node milc.mjs --points 8 --iterations 20 [--check] [--json]
// The lattice is divided along z and t. Each iteration sends its four faces, computes what needs none of them, waits,
// and computes the rest. Faces go by the MPI's own datatypes and packed by ours, in turns.
import { openMpi } from "@stowage/mpi-bridge";
import { hostMemory } from "@stowage/backend-api";
import { options, Phases, tell } from "../phases.mjs";
import { Dslash } from "./dslash.mjs";
import { fillSite, Lattice, VECTOR } from "./lattice.mjs";

const { points, iterations, check, json } = options({ points: 8, iterations: 20, check: false, json: false });
const mpi = openMpi();
const { world } = mpi;
const whole = [points, points, points, points];
const [inZ, inT] = { 1: [1, 1], 2: [1, 2], 4: [2, 2] }[world.size] ?? [];
if (inZ === undefined) throw new Error(`ranks: expected 1, 2 or 4, got ${world.size}`);
const [ofZ, ofT] = [world.rank % inZ, Math.floor(world.rank / inZ)];
const SCALE = 0.25;
const FACES = [2, 3];

const lattice = new Lattice(
  [points, points, points / inZ, points / inT],
  [0, 0, (ofZ * points) / inZ, (ofT * points) / inT],
);
const isDivided = [false, false, inZ > 1, inT > 1];
const dslash = new Dslash(lattice, whole, isDivided);

/** Who is next to us along z and t, and the faces that go there: our last plane is behind the next rank's first. */
const neighbourOf = (direction, step) => {
  const [z, t] = direction === 2 ? [(ofZ + step + inZ) % inZ, ofT] : [ofZ, (ofT + step + inT) % inT];
  return t * inZ + z;
};
const faces = FACES.filter((direction) => isDivided[direction]).flatMap((direction) =>
  [0, 1].map((sign) => {
    const last = lattice.sizes[direction] - 1;
    const { beginBytes, datatype } = lattice.face(direction, sign === 0 ? 0 : last);
    // What the neighbour ahead needs backwards is our last plane; what lies behind needs our first.
    const to = neighbourOf(direction, sign === 0 ? -1 : 1);
    const from = neighbourOf(direction, sign === 0 ? 1 : -1);
    const floats = lattice.faceSites(direction) * VECTOR;
    const native = mpi.commit(datatype, { carrier: "native" });
    return {
      direction,
      sign,
      beginBytes,
      to,
      from,
      native,
      ours: mpi.commit(datatype),
      packed: new Float32Array(floats),
    };
  }),
);
const phaseOf = { 2: "z", 3: "t" };

function newState() {
  const vectors = new Float32Array(lattice.sites * VECTOR);
  for (const site of lattice) {
    fillSite(
      vectors,
      lattice.index(...site) * VECTOR,
      VECTOR,
      site.map((c, d) => c + lattice.begin[d]),
      0,
    );
  }
  const ghosts = [[], [], [], []];
  for (const { direction, sign, packed } of faces) ghosts[direction][sign] = new Float32Array(packed.length);
  return { vectors, next: new Float32Array(vectors.length), ghosts, phases: new Phases() };
}

const SENDS = {
  native({ phases, vectors }, face, tag) {
    const { beginBytes, to, native, direction } = face;
    const buffer = { memory: hostMemory(vectors), originBytes: beginBytes };
    return phases.time(`communicate ${phaseOf[direction]}`, () =>
      world.isend({ buffer, datatype: native, count: 1 }, to, { tag }),
    );
  },
  ours({ phases, vectors }, face, tag) {
    const { beginBytes, to, ours, packed, direction } = face;
    const source = { memory: hostMemory(vectors), originBytes: beginBytes };
    phases.time(`pack ${phaseOf[direction]}`, () => ours.committed.pack(source, packed, { count: 1 }).wait());
    return phases.time(`communicate ${phaseOf[direction]}`, () => world.isend(packed, to, { tag }));
  },
};

function iterate(name, state) {
  const { phases, vectors, next, ghosts } = state;
  const requests = faces.map(({ direction, sign, from }) =>
    phases.time(`communicate ${phaseOf[direction]}`, () =>
      world.irecv(ghosts[direction][sign], from, { tag: 2 * direction + sign }),
    ),
  );
  for (const face of faces) requests.push(SENDS[name](state, face, 2 * face.direction + face.sign));
  phases.time("compute", () => {
    next.fill(0);
    dslash.apply(next, vectors, ghosts, [0, 1], SCALE);
  });
  phases.time("wait", () => mpi.requests.waitAll(requests));
  phases.time("compute", () => dslash.apply(next, vectors, ghosts, FACES, SCALE));
  [state.vectors, state.next] = [next, vectors];
}

const states = {};
for (const name of Object.keys(SENDS)) {
  const warm = newState();
  iterate(name, warm); // compiles everything
  states[name] = newState();
}
for (let i = 0; i < iterations; i++) {
  for (const name of i % 2 === 0 ? ["native", "ours"] : ["ours", "native"]) {
    world.barrier();
    iterate(name, states[name]);
  }
}

const summaries = {};
for (const [name, { phases }] of Object.entries(states)) summaries[name] = phases.summary(world, iterations);
tell(world, `MILC ${points}^4 on ${world.size} ranks, ${mpi.mpi.name}, ${iterations} iterations`, summaries, json);
if (check) checkAgainstSerial();
for (const { native, ours } of faces) for (const type of [native, ours]) type[Symbol.dispose]();

/**
 * The whole lattice on one rank, without messages: the same operations in the same order, so that every bit must agree.
 */
function checkAgainstSerial() {
  const all = new Lattice(whole, [0, 0, 0, 0]);
  const alone = new Dslash(all, whole, [false, false, false, false]);
  let vectors = new Float32Array(all.sites * VECTOR);
  for (const site of all) fillSite(vectors, all.index(...site) * VECTOR, VECTOR, site, 0);
  for (let i = 0; i < iterations; i++) {
    const next = new Float32Array(vectors.length);
    alone.apply(next, vectors, [], [0, 1], SCALE);
    alone.apply(next, vectors, [], FACES, SCALE);
    vectors = next;
  }
  for (const [name, state] of Object.entries(states)) {
    for (const site of lattice) {
      const [here, there] = [lattice.index(...site), all.index(...site.map((c, d) => c + lattice.begin[d]))];
      for (let i = 0; i < VECTOR; i++) {
        const [expected, got] = [vectors[there * VECTOR + i], state.vectors[here * VECTOR + i]];
        if (!Object.is(expected, got))
          throw new Error(`site ${site.join(" ")} of rank ${world.rank} by ${name}: expected ${expected}, got ${got}`);
      }
    }
    if (world.rank === 0 && !json)
      console.log(`${name}: all ${lattice.sites * VECTOR} values of each rank are the serial run's`);
  }
}
