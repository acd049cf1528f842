// Files of a rank have a limit that its shared memory does not keep: messages go in chunks, and are told why.
import { check, equal, matches, rank, report, size, world } from "./checks.mjs";
import { before, next } from "./elements.mjs";

const BYTES = 300_000;
check("a rank that has no memory to share sends and receives in chunks", () => {
  const comm = world.dup({ pipeline: {} });
  for (let peer = 0; peer < size; peer++) {
    const { carrier, answers } = comm.explain(new Uint8Array(BYTES), peer);
    equal(carrier, "chunked");
    matches(
      { message: answers.find((each) => each.carrier === "ipc").support.reason },
      /^this rank has no memory to share: posix_fallocate: expected \d+ bytes of shared memory, got errno 27$/,
    );
  }
  const into = new Uint8Array(BYTES);
  comm.sendrecv(new Uint8Array(BYTES).fill(rank + 1), next, into, before);
  equal([into[0], into.at(-1)], [before + 1, before + 1]);
  comm.free();
});
report();
