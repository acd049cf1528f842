// Where a pair of ranks runs: side by side on cores of this machine, or on two hosts of its own. A place has the
// command words that start the ranks under an MPI, and runs a command to its end.
import { BY_BTL_TCP, launchBetween } from "../dist/hosts/launch.js";
import { canHaveHosts, TestHosts } from "../dist/hosts/test-hosts.js";
import { run, served } from "./interposed.mjs";
import { AS_ROOT, boundTo } from "./mpis.mjs";

const RANKS = 2;
/** Each host has one processor; Open MPI's own TCP, where UCX has one, too. */
const BETWEEN = { openmpi: [...BY_BTL_TCP, "--bind-to", "none"], mpich: [] };
/** Of a command on hosts, in milliseconds: 16 cells of 4 MiB at 1 Gbit/s take a fifth. */
const LIMIT_MS = 30 * 60_000;

const SIDE_BY_SIDE = {
  launch: ({ launch, family }, settings = []) => [...launch, ...boundTo(family), ...settings, "-n", RANKS],
  run,
};

const onHosts = (hosts) => ({
  launch: ({ launch: [launcher], family }, settings = []) =>
    launchBetween(hosts, { family, launcher }, RANKS, [...BETWEEN[family], ...settings]),
  async run(words) {
    const { status, stdout, stderr } = await hosts.run("host1", words.map(String), AS_ROOT, LIMIT_MS);
    if (status !== 0) throw new Error(`${words[0]}: expected to end with 0, got ${status}: ${stderr}`);
    return stdout;
  },
});

/** Yields what `use` makes of a place on this machine, and of what `served` gives. */
const sideBySide = (use) => served((folder, variables) => use(SIDE_BY_SIDE, folder, variables));

/** The same on two hosts with a processor each, whose links take so many megabits a second. */
async function* onTwoHosts(megabits, use) {
  if (!canHaveHosts) throw new Error("--hosts: expected root and an SSH server, of which hosts are made, got none");
  const hosts = await TestHosts.start(RANKS, { megabits, areApart: true });
  try {
    const place = onHosts(hosts);
    yield* served((folder, variables) => use(place, folder, variables), { within: hosts.folder });
  } finally {
    await hosts[Symbol.asyncDispose]();
  }
}

/** Options of an experiment that runs in either, and the place that they name. */
export const PLACE_OPTIONS = {
  hosts: { kind: "flag", says: "the ranks are on two hosts of this machine, which TCP joins, with a processor each" },
  megabits: { kind: "number", says: "with --hosts: what a link takes in a second each way; by itself all that comes" },
};
export const inPlace = ({ hosts, megabits }, use) => (hosts ? onTwoHosts(megabits, use) : sideBySide(use));
