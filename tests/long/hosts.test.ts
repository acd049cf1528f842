// Unmodified programs between hosts, by TCP: the same bytes natively and by our code, and what is left when a rank is
// killed or a link is cut. Four ranks of MPICH 4.0.2 on several hosts hang in MPI_Finalize, natively, in most runs over
// UCX's tcp: some have closed their ends and wait for the process manager, others wait for those ends. Two ranks do
// not.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { BY_BTL_TCP, canHaveHosts, launchBetween, TestHosts, type Ended, type Launcher } from "lab/hosts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const STOWAGE = [process.execPath, path("../../packages/cli/bin/stowage.js")];
const SOAK = path("../../packages/interposer/tests/programs/soak.c");
const MESSAGES = process.env["STOWAGE_SOAK_MESSAGES"] ?? "2000";
const HOSTS = 2;
/** Messages of a run that lasts until the service has compiled most types; twice as many where it has not. */
const COMPILING = 20_000;
const MINUTES = 60_000;
const CUT_MS = 5_000;
const LOOK_MS = 50;
/** Prints the bytes that the host's network has got. */
const COME = "awk '$1 == \"eth0:\" { print $2 }' /proc/net/dev";
/** What has come to a host when its ranks have met the others': a link that is cut before ends MPI_Init. */
const MET_BYTES = 1_000_000;

interface Between extends Launcher {
  readonly name: string;
  readonly compiler: string;
  readonly ranks: number;
  /** The launcher's own. */
  readonly settings?: readonly string[];
  /** Besides what all have. */
  readonly variables?: NodeJS.ProcessEnv;
  /** Whether sends stay native of types that the MPI would cut in the midst of a basic element. */
  readonly cuts?: boolean;
}

const OPEN_MPI = { family: "openmpi", launcher: "mpirun.openmpi", compiler: "mpicc.openmpi", ranks: 4 } as const;

const ALL: readonly Between[] = [
  { ...OPEN_MPI, name: "Open MPI by btl tcp", settings: BY_BTL_TCP },
  {
    ...OPEN_MPI,
    name: "Open MPI by UCX's tcp",
    settings: ["--mca", "pml", "ucx", "--mca", "pml_ucx_tls", "any", "--mca", "pml_ucx_devices", "any"],
  },
  { name: "MPICH by UCX's tcp", family: "mpich", launcher: "mpiexec.mpich", compiler: "mpicc.mpich", ranks: 2 },
  {
    ...{ name: "MPICH by ch4:ofi, staged", family: "mpich", ranks: 4, cuts: true },
    ...{ launcher: "mpiexec.mpich-ofi", compiler: "mpicc.mpich-ofi", variables: { STOWAGE_STAGED: "on" } },
  },
];
const MPIS = ALL.filter(({ compiler }) => spawnSync(compiler, ["--version"]).status === 0);

describe.runIf(canHaveHosts).each(MPIS)("$name", { timeout: 10 * MINUTES }, (mpi) => {
  const { compiler, ranks, settings, variables = {}, cuts = false, ...by } = mpi;
  let hosts: TestHosts;
  const program = (): string => join(hosts.folder, "soak");
  const environment = (): NodeJS.ProcessEnv => ({
    OMPI_ALLOW_RUN_AS_ROOT: "1",
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
    STOWAGE_CACHE: join(hosts.folder, "cache"),
    STOWAGE_INTERPOSER: join(hosts.folder, "lib"),
    STOWAGE_MPICC: compiler,
    ...variables,
  });
  const words = (messages = MESSAGES): readonly string[] => [
    ...launchBetween(hosts, by, ranks, settings),
    program(),
    messages,
    "50",
    "33",
  ];
  const run = (each: readonly string[]): Promise<Ended> => hosts.run("host1", each, environment(), 4 * MINUTES);

  beforeAll(async () => {
    hosts = await TestHosts.start(HOSTS);
    const { stderr } = spawnSync(compiler, ["-std=gnu11", "-O1", "-o", program(), SOAK], { encoding: "utf8" });
    expect(stderr).toBe("");
  }, MINUTES);
  afterAll(() => hosts[Symbol.asyncDispose]());

  test("all messages between them are by our code once it is compiled, and every byte is what the MPI alone gives", async () => {
    const native = await run(words());
    expect([native.status, native.stdout]).toEqual([0, expect.stringMatching(/^\d+ messages [0-9a-f]{16}\n$/)]);
    const ours = (messages: string) => [...STOWAGE, "run", "--verify", "--verbose", "--", ...words(messages)];
    // The service of the first host alone compiles, while the run lasts; the other finds its code in the folder that
    // both see.
    let warm = await run(ours(MESSAGES));
    for (let longer = COMPILING; isCompiling(warm); longer *= 2) {
      await run(ours(String(longer)));
      warm = await run(ours(MESSAGES));
    }
    expect([warm.status, warm.stdout]).toEqual([0, native.stdout]);
    const { sent, received, ...all } = sums(warm.stderr);
    expect([all, received.native, cuts || sent.native === 0]).toEqual([{ ranks, differences: 0 }, 0, true]);
    expect(Math.min(sent.ours, received.ours)).toBeGreaterThan(0);
  });

  test("a link that is cut for five seconds delays messages, and changes none", async () => {
    const native = await run(words());
    const begun = run([...STOWAGE, "run", "--verify", "--verbose", "--", ...words()]);
    await hasMet(hosts, "host2");
    hosts.link("host2", "down");
    await setTimeout(CUT_MS);
    hosts.link("host2", "up");
    const { status, stdout, stderr } = await begun;
    expect([status, stdout]).toEqual([0, native.stdout]);
    expect(sums(stderr).differences).toBe(0);
  });

  test("a rank that is killed ends the job, and nothing of ours stays on any host", async () => {
    const begun = run([...STOWAGE, "run", "--", ...words("2000000")]);
    await hasMet(hosts, "host2");
    expect((await hosts.run("host2", ["pkill", "-KILL", "-o", "-x", "soak"])).status).toBe(0);
    expect((await begun).status).not.toBe(0);
    for (const name of hosts.names) await nothingStays(hosts, name);
  });
});

/** Resolves when ranks of a host exchange messages with others. */
async function hasMet(hosts: TestHosts, name: string): Promise<void> {
  const come = async () => Number((await hosts.run(name, ["sh", "-c", COME])).stdout);
  const before = await come();
  while ((await come()) < before + MET_BYTES) await setTimeout(LOOK_MS);
}

/** No process, no shared memory; or the test's time is up. */
async function nothingStays(hosts: TestHosts, name: string): Promise<void> {
  const look = "pgrep -x soak; ls /dev/shm | grep -i stowage; true";
  while ((await hosts.run(name, ["sh", "-c", look])).stdout !== "") await setTimeout(LOOK_MS);
}

/** Whether it went well, with a type that was received before its code was there; all that are sent are received. */
const isCompiling = ({ status, stderr }: Ended): boolean => status === 0 && sums(stderr).received.native > 0;

interface Moved {
  ours: number;
  native: number;
}

function sums(told: string): { ranks: number; sent: Moved; received: Moved; differences: number } {
  const all = { ranks: 0, sent: { ours: 0, native: 0 }, received: { ours: 0, native: 0 }, differences: 0 };
  for (const [, ...counts] of told.matchAll(/sent: (\d+) and (\d+), received: (\d+) and (\d+) messages/g)) {
    const [sentByOurs = 0, sentNatively = 0, receivedByOurs = 0, receivedNatively = 0] = counts.map(Number);
    all.ranks += 1;
    all.sent.ours += sentByOurs;
    all.sent.native += sentNatively;
    all.received.ours += receivedByOurs;
    all.received.native += receivedNatively;
  }
  for (const [, differences] of told.matchAll(/rank \d+: \d+ ranges compared, (\d+) differences/g))
    all.differences += Number(differences);
  return all;
}
