import { PROC_NULL, UNDEFINED } from "@stowage/mpi-bridge";
import { exportDatatype } from "@stowage/mpi-abi";
import { predefined, vector } from "@stowage/ir";
import { check, equal, matches, mpi, rank, size, thrown, world } from "./checks.mjs";
import { before, expected, next } from "./elements.mjs";

/** All ranks of these tests are of one host; MPICH 5.0.2 of Debian says of each, C programs' too, that it is alone. */
function ranksOfHost() {
  const { mpi: library } = mpi;
  const { typeShared, infoNull } = library.constants.communication;
  const [made, count] = [library.abi.handles(1), new Int32Array(1)];
  const split = library.bind("MPI_Comm_split_type", "Handle, int, int, Handle, void *");
  equal(split(world.handle, typeShared, 0, infoNull, made.view), 0);
  equal(library.bind("MPI_Comm_size", "Handle, void *")(made.get(0), count), 0);
  if (count[0] !== 1) equal(count[0], size);
  return count[0];
}

check("split, dup, cart and graph", () => {
  const same = world.dup();
  equal([same.rank, same.size], [rank, size]);
  same.name = "ours";
  equal(same.name, "ours");
  const half = world.split(rank % 2, -rank);
  equal(half.size, Math.ceil((size - (rank % 2)) / 2));
  equal(half.rank, half.size - 1 - Math.floor(rank / 2), "in the order of keys");
  equal(world.split(rank === 0 ? 0 : UNDEFINED)?.size ?? "none", rank === 0 ? 1 : "none");
  const node = world.splitShared();
  equal(node.size, ranksOfHost());
  const ring = world.createCart([size], { periods: [true] });
  equal([ring.coords(), ring.cartRank([rank]), ring.dimensions], [[rank], rank, 1]);
  equal(ring.shift(0), { source: before, dest: next });
  equal(ring.neighbours(), { sources: [before, next], destinations: [before, next] });
  const row = world.createCart([size, 1]);
  equal(row.shift(0).source, rank === 0 ? PROC_NULL : rank - 1);
  const column = row.cartSub([true, false]);
  equal(column.size, size);
  const graph = world.createDistGraph([before], [next]);
  equal(graph.neighbours(), { sources: [before], destinations: [next] });
  const whole = world.createGraph(
    Array.from({ length: size }, (_, i) => i + 1),
    Array.from({ length: size }, (_, i) => (i + 1) % size),
  );
  equal(whole.neighbours(), { sources: [next], destinations: [next] });
  matches(
    thrown(() => world.neighbours()),
    /^neighbours of a communicator: expected one with a topology, got one without$/,
  );
  const freed = world.dup();
  freed.free();
  for (const work of [
    () => freed.send(Int32Array.of(1), 0),
    () => freed.barrier(),
    () => freed.dup(),
    () => freed.name,
  ])
    matches(thrown(work), /^communicator: expected one in use, got a freed one$/);
  matches(
    thrown(() => freed.free()),
    /^communicator: expected one in use, got a freed one$/,
  );
});

/** Works with what is disposed of afterwards. */
function withDisposed(made, work) {
  work(made);
  made[Symbol.dispose]();
}

check("hints come from an attribute of an MPI_Datatype, which goes with its duplicates", () => {
  const { mpi: abi } = mpi;
  withDisposed(exportDatatype(abi, vector(3, 1, 2, predefined("MPI_INT"))), ({ handle }) => {
    withDisposed(mpi.adopt(handle), (type) => equal(type.hints, {}));
    mpi.setHints(handle, { route: "packed", reuse: 7 });
    const copy = abi.abi.handles(1);
    equal(abi.bind("MPI_Type_dup", "Handle, void *")(handle, copy.view), 0);
    withDisposed(mpi.adopt(copy.get(0), { reuse: 9 }), (type) => {
      equal([type.hints, type.sizeBytes], [{ reuse: 9, route: "packed" }, 12]);
      const into = new Int32Array(3);
      world.sendrecv({ buffer: Int32Array.of(1, 2, 3, 4, 5), datatype: type, count: 1 }, next, into, before);
      equal(into, [1, 3, 5]);
    });
    // Native code writes the text itself.
    const text = Buffer.from("stowage_backend=cpu; stowage_route=pigeon\0");
    equal(abi.bind("MPI_Type_set_attr", "Handle, int, void *")(handle, mpi.hintKey, text), 0);
    matches(
      thrown(() => mpi.adopt(handle)),
      /^hints: route: expected one of native, packed, auto, got "pigeon"$/,
    );
    equal(abi.bind("MPI_Type_free", "void *")(copy.view), 0);
  });
  matches(
    thrown(() => mpi.adopt(0.5)),
    /expected an integer above 0, got 0\.5$/,
  );
});

check("hints come from Info too, and settings go with a dup", () => {
  const own = world.dup();
  own.setInfo({ stowage_route: "packed", stowage_reuse: "12" });
  equal([own.settings.hints.route, own.settings.hints.reuse], ["packed", 12]);
  equal(typeof own.getInfo(), "object");
  matches(
    thrown(() => own.setInfo({ stowage_route: "pigeon" })),
    /^hints: route: expected one of native, packed, auto, got "pigeon"$/,
  );
  own.settings = { checks: "none" };
  own.sendrecv(Int32Array.of(4), next, new Int32Array(1), before);
  matches(
    thrown(() => (own.settings = { checks: "all" })),
    /^settings of a communicator: checks: expected one of arguments, none, got "all"$/,
  );
});
