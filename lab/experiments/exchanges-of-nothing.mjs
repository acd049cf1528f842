import { openMpi } from "@stowage/mpi-bridge";
import koffi from "koffi";
import { fileURLToPath } from "node:url";
import { moduleOf } from "../parts/old-build.mjs";
import { inTurnsOnRanks, ranksOf, timedTogether } from "../parts/ranks.mjs";

const PACKAGES = fileURLToPath(new URL("../../packages", import.meta.url));
const RET = 0xc3;

/** A loop of its own for each, or V8 compiles one for all. */
const loopOf = (run, turns) => {
  const loop = new Function("run", "turns", "for (let i = 0; i < turns; i++) run();");
  return () => loop(run, turns);
};

/** A call of MPI whose arguments are written before, and the memory that it reaches. */
function writtenCall({ WrittenCall }, { ints }, mpi) {
  const { world } = mpi;
  const call = new WrittenCall();
  const tables = ints(world.size);
  const side = [tables.address, tables.address, tables.address, mpi.typeOf("MPI_BYTE").native];
  const { native } = world.shared;
  [native.entryOf("MPI_Alltoallv"), ...side, ...side, world.handle].forEach((word, i) => call.write(i, word));
  return { launch: () => native.launchWritten(call), tables };
}

export default {
  name: "exchanges-of-nothing",
  question: "What does an exchange of no elements cost beside what no call from JavaScript can do without?",
  kind: "times",
  ranks: 1,
  options: {
    samples: { kind: "number", says: "of each", byDefault: 60 },
    turns: { kind: "number", says: "calls of a sample", byDefault: 20_000 },
  },
  trial: { samples: 1, turns: 10 },
  async *cells() {
    const mpi = openMpi();
    const names = ["native/executable", "native/launcher", "native/words"];
    const modules = await Promise.all(names.map((name) => moduleOf(PACKAGES, "mpi-bridge", name)));
    yield { label: { ...ranksOf(mpi), workload: "an exchange of nothing" }, mpi, modules };
  },
  contenders({ mpi, modules: [{ executable }, launcher, words] }, { turns }) {
    const { world } = mpi;
    const { rank, size } = world;
    const nothing = koffi.decode(BigInt(executable(Uint8Array.of(RET))), koffi.proto("void stowage_nothing()"));
    const list = (value) => Array.from({ length: size }, (_, i) => value(i));
    const bytes = () => new Uint8Array(8 * size).fill(rank + 1);
    const [counts, displacements] = [list(() => 0), list((i) => 8 * i)];
    const [sent, received] = [0, 1].map(() => ({ buffer: bytes(), datatype: "MPI_BYTE", counts, displacements }));
    const [sentTyped, receivedTyped] = [0, 1].map(() => ({
      ...{ buffer: bytes(), datatypes: list(() => "MPI_BYTE"), counts, displacementsBytes: displacements },
    }));
    const written = writtenCall(launcher, words, mpi);
    const calls = {
      "a function that does nothing": () => nothing(),
      "MPI_Alltoallv alone, written before": () => written.launch(),
      alltoallv: () => world.alltoallv(sent, received),
      alltoallw: () => world.alltoallw(sentTyped, receivedTyped),
    };
    const check = () => {
      for (const { buffer } of [sent, received, sentTyped, receivedTyped])
        if (buffer.some((byte) => byte !== rank + 1))
          throw new Error("an exchange of nothing: expected no byte to move");
    };
    return Object.fromEntries(Object.entries(calls).map(([who, call]) => [who, { run: loopOf(call, turns), check }]));
  },
  run(entrants, { mpi: { world } }, { samples, turns: steps }) {
    const timed = ({ run }) => timedTogether(world, run, { steps });
    for (const entrant of Object.values(entrants)) for (let i = 0; i < 2; i++) timed(entrant);
    return inTurnsOnRanks(entrants, { samples }, timed);
  },
};
