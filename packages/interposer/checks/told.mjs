// What the ranks of a soak (tests/programs/soak.c) tell at their ends.

/** The program's own line, and how many messages it says; UCX's warnings, which have times, are on stdout, too. */
export function soaked(output) {
  const [line, messages] = /^(\d+) messages [0-9a-f]+$/m.exec(output) ?? [];
  if (line === undefined) throw new Error(`expected a line of messages and their sum, got ${output.slice(-200)}`);
  return { line, messages: Number(messages) };
}

/** Sums over the ranks, by what the library says under --verbose and --verify. */
export function countsOf(told) {
  const sum = (pattern) =>
    [...told.matchAll(pattern)].reduce(
      (sums, [, ...counts]) => counts.map((each, i) => (sums[i] ?? 0) + Number(each)),
      [],
    );
  const [sentOurs = 0, sentNative = 0, receivedOurs = 0, receivedNative = 0] = sum(
    /sent: (\d+) and (\d+), received: (\d+) and (\d+) messages/g,
  );
  const [past = 0] = sum(/sent (\d+) messages of \d+ bytes past the MPI/g);
  const [read = 0] = sum(/(\d+) of these were read where they lay/g);
  const [ranges = 0, differences = 0] = sum(/rank \d+: (\d+) ranges compared, (\d+) differences/g);
  return {
    sent: { ours: sentOurs, native: sentNative },
    received: { ours: receivedOurs, native: receivedNative },
    past,
    read,
    ranges,
    differences,
  };
}
