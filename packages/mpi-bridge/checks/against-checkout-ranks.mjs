// One launch of against-checkout.mjs: the bridges of two checkouts in one process, over one MPI, take turns at each
// cell. FIRST says which begins:
// mpirun -n RANKS node against-checkout-ranks.mjs CELLS BUDGET_MS FIRST NAME=CHECKOUT NAME=CHECKOUT
import { join, resolve } from "node:path";
import { summarise, turnsOf } from "@stowage/bench";

const [, , cellsText, budgetMs, first, ...builds] = process.argv;
const cells = JSON.parse(cellsText);
/** A sample is as many turns as take about so long. */
const SAMPLE_MS = 2;
const WARM = { turns: 8000, mostMs: 150 };

/** One MPI, several bridges: none finalises it at exit but the last. */
const bridges = [];
for (const [at, build] of builds.entries()) {
  const [name, checkout] = build.split("=");
  const { openMpi } = await import(join(resolve(checkout), "packages/mpi-bridge/dist/index.js"));
  const mpi = openMpi({ finalize: at === builds.length - 1 ? "exit" : "never" });
  bridges.push({ name, mpi, comm: mpi.world.dup() });
}
const { comm: agreed } = bridges.at(-1);
const { rank, size } = agreed;
const [next, before] = [(rank + 1) % size, (rank + size - 1) % size];

const DOUBLE_BYTES = 8;

function blocksOf(bytes, blockBytes) {
  const [blocklength, stride] = [blockBytes / DOUBLE_BYTES, (2 * blockBytes) / DOUBLE_BYTES];
  return { kind: "vector", count: bytes / blockBytes, blocklength, stride, child: "MPI_DOUBLE" };
}

/** Behind the last block of an element is a gap too. */
const besideEachOther = ({ bytes, blockBytes }) => ({
  kind: "resized",
  lb: 0,
  extent: 2 * bytes,
  child: blocksOf(bytes, blockBytes),
});

/** So many bytes: side by side, or in blocks that leave out as much as they hold. */
function elements(mpi, { bytes, blockBytes }, route, fill) {
  if (blockBytes === undefined)
    return { message: new Uint8Array(bytes).fill(fill), bytesOf: (message) => message, datatype: undefined };
  const datatype = mpi.commit(blocksOf(bytes, blockBytes), { route });
  const buffer = new Float64Array((2 * bytes) / DOUBLE_BYTES);
  const inside = new Uint8Array(buffer.buffer);
  inside.fill(fill);
  const bytesOf = () => inside.filter((_, i) => i % (2 * blockBytes) < blockBytes);
  return { message: { buffer, datatype, count: 1 }, bytesOf, datatype };
}

/** `run` makes one turn; `arrived` are the bytes that it got, and `from` whose they are to be. */
const KINDS = {
  "ping-pong"({ comm, mpi }, cell, route) {
    const [out, into] = [elements(mpi, cell, route, rank + 1), elements(mpi, cell, route, 0)];
    const run = () => {
      if (size === 1) {
        const arriving = comm.irecv(into.message, 0);
        comm.send(out.message, 0);
        arriving.wait();
      } else if (rank === 0) {
        comm.send(out.message, 1);
        comm.recv(into.message, 1);
      } else {
        comm.recv(into.message, 0);
        comm.send(out.message, 0);
      }
    };
    return { run, arrived: () => into.bytesOf(into.message), from: next };
  },

  "isend, waitAll"({ comm, mpi }, cell, route) {
    const outs = Array.from({ length: cell.messages }, () => elements(mpi, cell, route, rank + 1));
    const intos = outs.map(() => elements(mpi, cell, route, 0));
    const run = () => {
      const requests = intos.map(({ message }, tag) => comm.irecv(message, before, { tag }));
      for (const [tag, { message }] of outs.entries()) requests.push(comm.isend(message, next, { tag }));
      mpi.requests.waitAll(requests);
    };
    const last = intos.at(-1);
    return { run, arrived: () => last.bytesOf(last.message), from: before };
  },

  persistent({ comm, mpi }, cell, route) {
    const outs = Array.from({ length: cell.messages }, () => elements(mpi, cell, route, rank + 1));
    const intos = outs.map(() => elements(mpi, cell, route, 0));
    const requests = [
      ...intos.map(({ message }, tag) => comm.recvInit(message, before, { tag })),
      ...outs.map(({ message }, tag) => comm.sendInit(message, next, { tag })),
    ];
    const run = () => {
      mpi.requests.startAll(requests);
      mpi.requests.waitAll(requests);
    };
    const last = intos.at(-1);
    const end = () => requests.forEach((request) => request.free());
    return { run, arrived: () => last.bytesOf(last.message), from: before, end };
  },

  bcast({ comm, mpi }, cell, route) {
    const side = elements(mpi, cell, route, rank === 0 ? 1 : 0);
    return { run: () => comm.bcast(side.message, 0), arrived: () => side.bytesOf(side.message), from: 0 };
  },

  allreduce({ comm }, { bytes }) {
    const [out, into] = [new Int32Array(bytes / 4).fill(rank + 1), new Int32Array(bytes / 4)];
    const sum = (size * (size + 1)) / 2;
    const run = () => comm.allreduce(out, into);
    const arrived = () => new Uint8Array(into.map((each) => (each === sum ? 1 : 0)));
    return { run, arrived, from: 0 };
  },

  alltoallv({ comm, mpi }, cell, route) {
    const counts = Array.from({ length: size }, () => cell.count);
    const [out, into] = [rank + 1, 0].map((fill) => elements(mpi, { ...cell, bytes: cell.bytes * size }, route, fill));
    const one = cell.blockBytes === undefined ? "MPI_BYTE" : mpi.commit(besideEachOther(cell), { route });
    const count = cell.blockBytes === undefined ? cell.bytes * cell.count : cell.count;
    const parts = ({ message }) => ({
      buffer: cell.blockBytes === undefined ? message : message.buffer,
      datatype: one,
      counts: counts.map(() => count),
      displacements: counts.map((_, i) => (cell.blockBytes === undefined ? i * cell.bytes : i)),
    });
    const [sent, received] = [parts(out), parts(into)];
    const run = () => comm.alltoallv(sent, received);
    const first = next * cell.bytes;
    const arrived = () => into.bytesOf(into.message).subarray(first, cell.count === 0 ? first : first + cell.bytes);
    return { run, arrived, from: next };
  },

  alltoallw({ comm }, { bytes, count }) {
    const [out, into] = [rank + 1, 0].map((fill) => new Uint8Array(bytes * size).fill(fill));
    const parts = (buffer) => ({
      buffer,
      datatypes: Array.from({ length: size }, () => "MPI_BYTE"),
      counts: Array.from({ length: size }, () => bytes * count),
      displacementsBytes: Array.from({ length: size }, (_, i) => i * bytes),
    });
    const [sent, received] = [parts(out), parts(into)];
    const first = next * bytes;
    const arrived = () => into.subarray(first, first + bytes * count);
    return { run: () => comm.alltoallw(sent, received), arrived, from: next };
  },
};

function verify(name, { arrived, from }) {
  const wrong = arrived().findIndex((byte) => byte !== from + 1);
  if (wrong !== -1) throw new Error(`${name}: expected bytes of rank ${from}, got another one at ${wrong}`);
}

function timed(run, turns) {
  agreed.barrier();
  const start = performance.now();
  for (let turn = 0; turn < turns; turn++) run();
  return performance.now() - start;
}

/** What rank 0 thinks of it, for all. */
function told(number) {
  const cell = Float64Array.of(number);
  agreed.bcast(cell, 0);
  return cell[0];
}

for (const cell of cells) {
  const routes = cell.blockBytes === undefined ? [undefined] : ["native", "auto"];
  const contenders = bridges.flatMap((bridge) =>
    routes.map((route) => {
      const name = route === undefined ? bridge.name : `${bridge.name} ${route}`;
      return { name, times: [], ...KINDS[cell.kind](bridge, cell, route) };
    }),
  );
  if (first !== bridges[0].name) contenders.reverse();
  const perTurnMs = (turns) => told(Math.min(...contenders.map(({ run }) => timed(run, turns) / turns)));
  // By then V8 has compiled what runs.
  const warmTurns = Math.min(WARM.turns, Math.ceil(WARM.mostMs / perTurnMs(20)));
  for (const { run } of contenders) timed(run, warmTurns);
  const turnMs = perTurnMs(20);
  const turns = Math.max(1, Math.round(SAMPLE_MS / turnMs));
  const samples = Math.ceil(Number(budgetMs) / (turns * turnMs));
  for (let sample = 0; sample < samples; sample++)
    for (const i of turnsOf(contenders.length, sample)) {
      const { run, times } = contenders[i];
      times.push((timed(run, turns) / turns) * 1e6);
    }
  for (const { name, times, end, ...checked } of contenders) {
    verify(`${cell.name}, ${name}`, checked);
    end?.();
    if (rank === 0) console.log(JSON.stringify({ cell: cell.name, contender: name, ...summarise(times) }));
  }
}
