import { Mailbox } from "@stowage/mpi-bridge";
import { check, equal, matches, mpi, size, thrown, world } from "./checks.mjs";
import { before, next } from "./elements.mjs";

const TAGS = 40;

check("a mailbox matches receives that were posted, in any order of tags", () => {
  const mailbox = new Mailbox(world);
  const into = Array.from({ length: TAGS }, () => new Int32Array(1));
  const posted = into.map((buffer, tag) => mailbox.irecv(buffer, before, tag));
  const sends = into.map((_, i) =>
    mailbox.communicator.isend(Int32Array.of((TAGS - 1 - i) * 3), next, { tag: TAGS - 1 - i }),
  );
  equal(
    posted.map((receive) => receive.wait().tag),
    into.map((_, tag) => tag),
  );
  equal(
    into.map(([value]) => value),
    into.map((_, tag) => tag * 3),
  );
  mpi.requests.waitAll(sends);
  mailbox.free();
});

check("a mailbox keeps messages that nobody asked for yet, and their order", () => {
  const mailbox = new Mailbox(world);
  const got = new Int32Array(1);
  const sends = Array.from({ length: TAGS }, (_, i) =>
    mailbox.communicator.isend(Int32Array.of(i), next, { tag: i % 2 }),
  );
  sends.push(mailbox.communicator.isend(Int32Array.of(77), next, { tag: 9 }));
  equal([mailbox.recv(got, before, 9).source, got[0]], [before, 77]);
  for (let i = 1; i < TAGS; i += 2) equal([mailbox.recv(got, before, 1).tag, got[0]], [1, i]);
  for (let i = 0; i < TAGS; i += 2) equal([mailbox.recv(got, before, 0).tag, got[0]], [0, i]);
  mpi.requests.waitAll(sends);
  mailbox.free();
});

check("a mailbox names what it cannot match", () => {
  const mailbox = new Mailbox(world);
  const expected = `/^source of a mailbox: expected an integer of 0 to ${size - 1}, got -?\\d+$/`;
  for (const source of [-1, size])
    matches(
      thrown(() => mailbox.irecv(new Int32Array(1), source, 0)),
      new RegExp(expected.slice(1, -1)),
    );
  matches(
    thrown(() => mailbox.irecv(new Int32Array(1), 0, -1)),
    /^tag of a mailbox: expected an integer of 0 to 2147483647, got -1$/,
  );
  matches(
    thrown(() => mailbox.recv(new Int32Array(1), before, 5, { timeoutMs: 5 })),
    /^recv from \d with tag 5/,
  );
  mailbox.free();
});
