// One message of more bytes than C's int counts.
import { check, equal, rank, report, world } from "./checks.mjs";

const BYTES = 2 ** 31 + 8;
const MARKS = [0, 2 ** 30, 2 ** 31 + 1, BYTES - 1];

check("a message of more than 2^31 bytes is one message", () => {
  const buffer = new Uint8Array(BYTES);
  if (rank === 0) {
    MARKS.forEach((at, i) => (buffer[at] = i + 1));
    world.send(buffer, 1);
  } else {
    equal(world.probe(0).sizeBytes, BYTES, "bytes that probe tells");
    equal(world.recv(buffer, 0).sizeBytes, BYTES, "bytes that arrived");
    equal(
      MARKS.map((at) => buffer[at]),
      [1, 2, 3, 4],
    );
  }
});
report();
