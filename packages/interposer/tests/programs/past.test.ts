import { describe, expect, test } from "vitest";
import { codeHasCome, compiled, countsOf, INSTALLED, ran, within, type Ran } from "./ranks.js";

/** By the ranks' last lines. */
function sentPast({ errors }: Ran): number {
  let all = 0;
  for (const [, messages] of errors.matchAll(/rank \d+: sent (\d+) messages of \d+ bytes past the MPI/g))
    all += Number(messages);
  return all;
}

function readWhereTheyLay({ errors }: Ran): number {
  let all = 0;
  for (const [, messages] of errors.matchAll(/rank \d+: (\d+) of these were read where they lay/g))
    all += Number(messages);
  return all;
}

/** From so many bytes on messages go past the MPI. */
const PAST = { variables: ["STOWAGE_HOST_ROUTE=65536"] };
/** Those that are faster so. */
const MEASURED = { variables: ["STOWAGE_HOST_ROUTE=measured"] };
const RIGHT = "45 checks, 0 wrong\n";
/** What past-lying.c does, and says. */
const LYING = [
  ["kinds", "96 checks, 0 wrong\n"],
  ["calls", "576 checks, 0 wrong\n"],
  ["waits", "12 checks, 0 wrong\n"],
] as const;

/** From 5.0 on Open MPI's two worlds talk by TCP, also where there is no network. */
const LOOPBACK = "OMPI_MCA_btl_tcp_if_include=lo";

/**
 * Where no memory is shared Open MPI has nobody to take an offer; MPICH would carry it, but its processes
 * then wait for each other in MPI_Finalize for ever, as a rule, without us too.
 */
const FAR = {
  openmpi: [["OMPI_MCA_btl=tcp,self", LOOPBACK]],
  mpich: [],
};

/** As `ran`, when the code has come that a first run asked for. */
async function ranWithCode(...run: Parameters<typeof ran>): Promise<Ran> {
  ran(...run);
  await codeHasCome(run[0]);
  return ran(...run);
}

describe.each(INSTALLED)("$name", (mpi) => {
  test("long messages of one host arrive past the MPI as through it, whatever call sends and receives them", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "past.c")];
      expect(ran(surroundings, 3, words).output).toBe(RIGHT);
      expect(ran(surroundings, 3, words, PAST).output).toBe(RIGHT);
      await codeHasCome(surroundings);
      const ours = ran(surroundings, 3, words, PAST);
      expect(ours.output).toBe(RIGHT);
      // Two of an exchange, two of one the other way round, two by MPI_Sendrecv, one to another group.
      expect(ours.errors).toMatch(/rank 2: sent 7 messages of 3360000 bytes past the MPI/);
      const verified = ran(surroundings, 3, words, { ...PAST, verify: true });
      expect([verified.output, countsOf(verified).differences]).toEqual([RIGHT, 0]);
      expect(sentPast(verified)).toBe(sentPast(ours));
      const off = ran(surroundings, 3, words, {});
      expect([off.output, sentPast(off)]).toEqual([RIGHT, 0]);
      const measured = ran(surroundings, 3, words, MEASURED);
      expect(measured.output).toBe(RIGHT);
    }));

  test.each([
    ["turns", "600 checks, 0 wrong\n", [480_000]],
    ["calls", "960 checks, 0 wrong\n", [480_000, 456_000, 432_000]],
  ] as const)("where it is measured, both sides try both ways in turns, and choose: %s", (turns, right, sizes) =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "past.c"), turns];
      ran(surroundings, 2, words, PAST);
      await codeHasCome(surroundings);
      const { output, errors } = ran(surroundings, 2, words, MEASURED);
      expect(output).toBe(right);
      const choices = [
        ...errors.matchAll(
          / elements of (\d+) in runs of 24: medians of 15 turns: ([1-9]\d*) ns past the MPI, ([1-9]\d*) ns thr/g,
        ),
      ];
      expect(choices.map(([, size]) => Number(size)).toSorted()).toEqual(sizes.flatMap((of) => [of, of]).toSorted());
      expect(errors).toMatch(/rank [01]: sent \d+ messages of \d+ bytes past the MPI/);
      const verified = ran(surroundings, 2, words, { ...MEASURED, verify: true });
      expect([verified.output, countsOf(verified).differences]).toEqual([output, 0]);
    }),
  );

  test("they go past the MPI from the length on that is asked for", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "past.c"), "sizes"];
      const from4096 = { variables: ["STOWAGE_HOST_ROUTE=4096"] };
      const ours = await ranWithCode(surroundings, 2, words, from4096);
      // Three of each of six lengths, either way.
      expect([ours.output, sentPast(ours)]).toEqual(["42 checks, 0 wrong\n", 36]);
      const verified = ran(surroundings, 2, words, { ...from4096, verify: true });
      expect([verified.output, countsOf(verified).differences, sentPast(verified)]).toEqual([ours.output, 0, 36]);
    }));

  test("messages that are longer than their receives give their room back, however short these are", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "past.c"), "short"];
      const right = "210 checks, 0 wrong\n";
      const ours = await ranWithCode(surroundings, 2, words, PAST);
      expect([ours.output, sentPast(ours)]).toEqual([right, 210]);
      const verified = ran(surroundings, 2, words, { ...PAST, verify: true });
      expect([verified.output, countsOf(verified).differences, sentPast(verified)]).toEqual([right, 0, 210]);
    }));

  test("persistent sends, and what MPI_Sendrecv_replace sends, go past the MPI each time", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "past-requests.c")];
      const right = "36 checks, 0 wrong\n";
      expect(ran(surroundings, 2, words).output).toBe(right);
      const ours = await ranWithCode(surroundings, 2, words, PAST);
      expect(ours.output).toBe(right);
      // Three requests eight times, one that is not cancelled, and one that is freed; then each rank's four of replace.
      expect(ours.errors).toMatch(/rank 0: sent 30 messages of \d+ bytes past the MPI/);
      expect(ours.errors).toMatch(/rank 1: sent 4 messages of \d+ bytes past the MPI/);
      const verified = ran(surroundings, 2, words, { ...PAST, verify: true });
      expect([verified.output, countsOf(verified).differences, sentPast(verified)]).toEqual([right, 0, 34]);
      for (const variables of FAR[mpi.family])
        for (const verify of [false, true]) {
          const sent = ran(surroundings, 2, words, { variables: [...PAST.variables, ...variables], verify });
          expect([sent.output, countsOf(sent).differences, sentPast(sent)]).toEqual([right, 0, 0]);
        }
      expect(ran(surroundings, 2, words, MEASURED).output).toBe(right);
    }));

  test("threads that call the MPI at once send past it, each its own, in both directions", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "past-threads.c", ["-lpthread"]), "4"];
      const right = "256 checks, 0 wrong\n";
      expect(ran(surroundings, 2, words).output).toBe(right);
      const ours = await ranWithCode(surroundings, 2, words, PAST);
      expect(ours.output).toBe(right);
      // Not all: rooms of as many messages as are under way may not be free.
      expect(sentPast(ours)).toBeGreaterThan(128);
      const verified = ran(surroundings, 2, words, { ...PAST, verify: true });
      expect([verified.output, countsOf(verified).differences]).toEqual([right, 0]);
      expect(sentPast(verified)).toBeGreaterThan(128);
      expect(ran(surroundings, 2, words, MEASURED).output).toBe(right);
    }));

  test("they arrive where elements lie side by side, whatever call receives and completes them", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "past-contiguous.c")];
      const { output } = ran(surroundings, 2, words);
      // MPI 4 has two calls more, beside each of which a message goes either way.
      const messages = { "68 checks, 0 wrong\n": 64, "76 checks, 0 wrong\n": 68 }[output];
      const ours = await ranWithCode(surroundings, 2, words, PAST);
      expect([ours.output, sentPast(ours)]).toEqual([output, messages]);
      const verified = ran(surroundings, 2, words, { ...PAST, verify: true });
      expect([verified.output, countsOf(verified).differences, sentPast(verified)]).toEqual([output, 0, messages]);
    }));

  test("they go past the MPI where their handle was that of a type too short for it, and the other way round", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "past.c"), "handles"];
      const ours = await ranWithCode(surroundings, 2, words, PAST);
      expect([ours.output, sentPast(ours)]).toEqual(["22 checks, 0 wrong\n", 10]);
      const measured = ran(surroundings, 2, words, MEASURED);
      expect(measured.output).toBe(ours.output);
    }));

  test("processes that are spawned send each other messages past the MPI where its launcher names their world", () =>
    within(mpi, async (surroundings) => {
      const words = ["env", LOOPBACK, compiled(surroundings, "past-spawn.c")];
      const { output } = ran(surroundings, 2, words);
      // Debian's MPICH 4.0.2 and 4.2.1 cannot.
      expect(["50 checks, 0 wrong\n", "no process was spawned\n"]).toContain(output);
      const ours = await ranWithCode(surroundings, 2, words, PAST);
      expect(ours.output).toBe(output);
      // No first process has rank 2.
      const areSent = /rank 2: sent \d+ messages of \d+ bytes past the MPI/.test(ours.errors);
      expect(areSent).toBe(mpi.family === "openmpi");
      const verified = ran(surroundings, 2, words, { ...PAST, verify: true });
      expect([verified.output, countsOf(verified).differences]).toEqual([output, 0]);
    }));

  test.each(LYING)("elements in memory of MPI_Alloc_mem are read where they lie: %s", (what, right) =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "past-lying.c"), what];
      expect(ran(surroundings, 2, words).output).toBe(right);
      const ours = await ranWithCode(surroundings, 2, words, PAST);
      expect(ours.output).toBe(right);
      // Of each process the first tells of its memory; whoever comes late finds them packed, as all may in "waits".
      const read = readWhereTheyLay(ours);
      if (what === "kinds") expect(sentPast(ours)).toBe(2 * 48);
      if (what !== "waits") expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThan(sentPast(ours));
      const verified = ran(surroundings, 2, words, { ...PAST, verify: true });
      expect([verified.output, countsOf(verified).differences]).toEqual([right, 0]);
      if (what !== "waits") expect(readWhereTheyLay(verified)).toBeGreaterThan(0);
      expect(ran(surroundings, 2, words, MEASURED).output).toBe(right);
      // Sends are over there before anybody has them.
      const eager = { variables: [...PAST.variables, "UCX_RNDV_THRESH=inf"] };
      expect(ran(surroundings, 2, words, eager).output).toBe(right);
    }),
  );

  test.each(["private", "refused"])("elements in any memory, where reads of it are asked for: %s", (memory) =>
    within(mpi, async (surroundings) => {
      const program = compiled(surroundings, "past-lying.c");
      const reads = { variables: [...PAST.variables, "STOWAGE_HOST_READS=2048"] };
      for (const [what, right] of LYING) {
        const words = [program, what, memory];
        const ours = await ranWithCode(surroundings, 2, words, reads);
        expect([what, ours.output]).toEqual([what, right]);
        // A machine may refuse them by itself.
        const areRead = /^reads are allowed$/m.test(ours.errors) && what !== "waits";
        expect(sentPast(ours)).toBeGreaterThan(0);
        if (areRead) expect(readWhereTheyLay(ours)).toBeGreaterThan(0);
        if (memory === "refused") expect([areRead, readWhereTheyLay(ours)]).toEqual([false, 0]);
        const verified = ran(surroundings, 2, words, { ...reads, verify: true });
        expect([what, verified.output, countsOf(verified).differences]).toEqual([what, right, 0]);
      }
    }),
  );

  test("their memory comes and goes, also where others have it mapped, and is the MPI's where nobody asks", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "past-lying.c"), "memory"];
      const right = "321 checks, 0 wrong\n";
      const ours = await ranWithCode(surroundings, 2, words, PAST);
      expect([ours.output, readWhereTheyLay(ours) > 0]).toEqual([right, true]);
      expect(ours.errors).toMatch(/^pages of the other rank's: gone with it$/m);
      const off = ran(surroundings, 2, words, {});
      expect([off.output, readWhereTheyLay(off)]).toEqual([right, 0]);
      expect(off.errors).toMatch(/^pages of the other rank's: none$/m);
    }));

  test("a program of sessions without MPI_Init runs as it does natively", () =>
    within(mpi, (surroundings) => {
      const words = [compiled(surroundings, "sessions.c")];
      const { output } = ran(surroundings, 2, words);
      expect(ran(surroundings, 2, words, PAST).output).toBe(output);
      expect(ran(surroundings, 2, words, MEASURED).output).toBe(output);
    }));

  test("messages that find no room go as they did before", () =>
    within(mpi, async (surroundings) => {
      const words = [compiled(surroundings, "past.c"), "fill"];
      const filled = await ranWithCode(surroundings, 2, words, PAST);
      expect(filled.output).toBe("40 checks, 0 wrong\n");
      expect(sentPast(filled)).toBeGreaterThan(0);
      expect(sentPast(filled)).toBeLessThan(40);
    }));
});
