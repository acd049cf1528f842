// Files through views of derived types, written and read by every route; what lies in them is looked at by fs.
import { hostMemory } from "@stowage/backend-api";
import { contiguous, hindexed, hvector, indexed, predefined, resized, subarray, vector } from "@stowage/ir";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { double } from "./elements.mjs";
import { check, equal, matches, mpi, rank, size, thrown, world } from "./checks.mjs";

/** One folder for all ranks. */
const name = new Uint8Array(256);
if (rank === 0) new TextEncoder().encodeInto(mkdtempSync(join(tmpdir(), "stowage-files-")), name);
world.bcast(name);
const folder = new TextDecoder().decode(name.subarray(0, name.indexOf(0)));

/**
 * Views that divide a file of doubles among the ranks, each with 12 doubles or a multiple: [displacement in doubles,
 * filetype].
 */
const VIEWS = {
  "parts one after another": [24 * rank, double],
  "a double of every few": [rank, resized(0, 8 * size, double)],
  "blocks of 3": [0, resized(0, 24 * size, hindexed([1], [24 * rank], contiguous(3, double)))],
  "columns of a matrix": [
    0,
    subarray({ sizes: [6, 2 * size], subsizes: [6, 2], starts: [0, 2 * rank], order: "C", child: double }),
  ],
  "two lists with gaps": [7 + 2 * rank, resized(0, 16 * 8 * size, indexed([1, 2], [0, 4 * size], double))],
};

const MEMORY = {
  doubles: [double, 24, 0],
  vector: [vector(4, 2, 3, double), 3, 0],
  backwards: [hvector(3, 1, -16, double), 8, 8],
};
const DOUBLES = 96;
const message = (values, [datatype, count, at]) => ({
  buffer: { memory: hostMemory(values), originBytes: 8 * at },
  datatype,
  count,
});
const filled = (seed) => Float64Array.from({ length: DOUBLES }, (_, i) => 1 + seed * 1000 + i);

/** Packed order of an application's memory: which doubles go. */
function packedOf([datatype, count, at], values) {
  const type = mpi.commit(datatype);
  const packed = new Float64Array(24);
  type.committed.pack({ memory: hostMemory(values), originBytes: 8 * at }, packed, { count }).wait();
  type[Symbol.dispose]();
  return packed;
}

/** What the file must hold: every rank's doubles in the places of its view, from one etype on. */
function expectedFile(offset, layout, old) {
  const mine = packedOf(layout, filled(rank));
  const all = new Float64Array(24 * size);
  world.allgather(mine, all);
  const places = new Float64Array(24 * size);
  world.allgather(Float64Array.from(placesOfView(offset)), places);
  const doubles = new Float64Array(Math.max(old.length, Math.max(...places) + 1));
  doubles.set(old);
  places.forEach((place, i) => (doubles[place] = all[i]));
  return doubles;
}

/** Which doubles of the file the 24 behind an offset are, by the type map of many elements. */
let view;
function placesOfView(offset) {
  const [displacement, filetype] = view;
  const type = mpi.commit(filetype);
  const perElement = type.sizeBytes / 8;
  const count = Math.ceil((offset + 24) / perElement);
  const indices = Float64Array.from({ length: (count * type.extentBytes) / 8 + 64 }, (_, i) => i);
  const packed = new Float64Array(count * perElement);
  type.committed.pack(indices, packed, { count }).wait();
  type[Symbol.dispose]();
  return [...packed.subarray(offset, offset + 24)].map((place) => displacement + place);
}

const doublesOf = (path) => new Float64Array(Uint8Array.from(readFileSync(path)).buffer);

for (const route of ["native", "packed"]) {
  for (const [viewName, itsView] of Object.entries(VIEWS)) {
    for (const [memoryName, memory] of Object.entries(MEMORY)) {
      for (const offset of memoryName === "vector" ? [0, 5] : [0]) {
        check(`${memoryName} through ${viewName}, ${offset} behind, by ${route}`, () => {
          view = itsView;
          const path = join(folder, "file");
          // ROMIO leaves what its buffer held in holes behind the old end: ours leave zeros.
          const old = Float64Array.from({ length: route === "native" ? 600 * size : 40 }, (_, i) => -i);
          if (rank === 0) writeFileSync(path, old);
          world.barrier();
          const file = mpi.openFile(world, path, { mode: "rw", carrier: route, stripeBytes: 4096 });
          file.setView({ displacementBytes: 8 * view[0], etype: double, filetype: view[1] });
          file.writeAtAll(offset, message(filled(rank), memory));
          file.sync();
          world.barrier();
          equal(doublesOf(path), expectedFile(offset, memory, old));
          const back = new Float64Array(DOUBLES);
          file.readAtAll(offset, message(back, memory));
          equal(packedOf(memory, back), packedOf(memory, filled(rank)));
          const gaps = new Float64Array(DOUBLES);
          const type = mpi.commit(memory[0]);
          const span = { memory: hostMemory(gaps), originBytes: 8 * memory[2] };
          type.committed.unpack(packedOf(memory, filled(rank)), span, { count: memory[1] }).wait();
          type[Symbol.dispose]();
          equal(back, gaps, "bytes between");
          file.close();
          world.barrier();
          if (rank === 0) rmSync(path);
        });
      }
    }
  }
}

check("more than one stripe a rank, ranks with nothing to write among them", () => {
  const path = join(folder, "long");
  const file = mpi.openFile(world, path, { mode: "w", stripeBytes: 4096 });
  const filetype = resized(0, 64 * size, contiguous(8, double));
  file.setView({ displacementBytes: 64 * rank, etype: double, filetype });
  const many = Float64Array.from({ length: 4000 }, (_, i) => 5000 * rank + i);
  file.writeAtAll(0, rank === 0 && size > 1 ? new Float64Array(0) : many);
  file.close();
  world.barrier();
  const got = doublesOf(path);
  const at = (i) => (Math.floor(i / 8) % size === 0 && size > 1 ? 0 : 5000 * (Math.floor(i / 8) % size));
  for (let i = 0; i < got.length; i += 97) {
    const owner = Math.floor(i / 8) % size;
    const place = Math.floor(i / (8 * size)) * 8 + (i % 8);
    equal(got[i], owner === 0 && size > 1 ? 0 : at(i) + place, `double ${i}`);
  }
  world.barrier();
});

check("a file that is shorter than the view asks is told in a line, and what is there is read", () => {
  const path = join(folder, "short");
  if (rank === 0)
    writeFileSync(
      path,
      Float64Array.from({ length: 4 * size - 1 }, (_, i) => i),
    );
  world.barrier();
  for (const route of ["native", "packed"]) {
    const file = mpi.openFile(world, path, { route });
    file.setView({ displacementBytes: 8 * rank, etype: double, filetype: resized(0, 8 * size, double) });
    const into = new Float64Array(4).fill(-1);
    if (rank === size - 1) {
      matches(
        thrown(() => file.readAtAll(0, into)),
        /^read of \S+\/short: expected 32 bytes, got 24: it ends at \d+, the view asks up to \d+$/,
      );
      if (route === "packed") equal(into, [rank, rank + size, rank + 2 * size, -1]);
    } else {
      file.readAtAll(0, into);
      equal(
        into,
        [0, 1, 2, 3].map((i) => rank + i * size),
      );
    }
    file.close();
  }
});

check("a disc that is full is told in a line on every rank", () => {
  if (!existsSync("/dev/full")) return;
  const file = mpi.openFile(world, "/dev/full", { mode: "rw" });
  file.setView({ displacementBytes: 4096 * rank, etype: double });
  const error = thrown(() => file.writeAtAll(0, new Float64Array(512)));
  matches(error, /MPI_File_write_at: MPI_ERR_(NO_SPACE|IO|OTHER)|write of \/dev\/full: expected/);
  file.close();
});

check("what is no file, no view and no mode is refused in a line", () => {
  const path = join(folder, "none");
  matches(
    thrown(() => mpi.openFile(world, path)),
    /^MPI_File_open: MPI_ERR_(NO_SUCH_FILE|IO|OTHER|FILE)/,
  );
  matches(
    thrown(() => mpi.openFile(world, path, { mode: "a" })),
    /^options of a file: mode: expected one of r, w, rw, got "a"$/,
  );
  const file = mpi.openFile(world, path, { mode: "w" });
  const refused = (view, pattern) =>
    matches(
      thrown(() => file.setView(view)),
      pattern,
    );
  refused({ displacementBytes: -1 }, /^displacement of a view: expected bytes of 0 or more, got -1$/);
  const backwards = hvector(3, 1, -16, double);
  const inOrder = /^filetype of a view: expected displacements of 0 or more that never fall or overlap, got others$/;
  refused({ etype: double, filetype: backwards }, inOrder);
  refused({ etype: double, filetype: resized(0, 4, double) }, inOrder);
  const whole = /^filetype of a view: expected whole etypes of 8 bytes, got 4 bytes$/;
  refused({ etype: double, filetype: predefined("MPI_INT") }, whole);
  file.setView({ etype: double });
  matches(
    thrown(() => file.writeAtAll(0, new Uint8Array(7))),
    /^message for \S+: expected whole etypes of 8 bytes, got 7 bytes$/,
  );
  matches(
    thrown(() => file.writeAtAll(-1, new Float64Array(1))),
    /^offset in \S+: expected etypes of 0 or more, got -1$/,
  );
  file.close();
  matches(
    thrown(() => file.writeAtAll(0, new Float64Array(1))),
    /^file \S+: expected an open one, got a closed one$/,
  );
});

world.barrier();
if (rank === 0) rmSync(folder, { recursive: true });
