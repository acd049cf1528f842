import type { Environment, MpiFamily } from "@stowage/mpi-abi";
import type { Experiment, ExperimentName, Panel } from "./experiment.js";

/** Most threads or processes of section 3.8. */
const WORKERS = 4;

const NANOSECONDS = "nanoseconds";

/** How an MPI is told not to look at arguments: Open MPI by a parameter, MPICH by a variable where it was built so. */
const withoutChecks = (family: MpiFamily): Environment =>
  family === "openmpi" ? { OMPI_MCA_mpi_param_check: "0" } : { MPIR_CVAR_ERROR_CHECKING: "0" };
const UNCHECKED = { environment: withoutChecks, needs: "an MPI whose checks can be turned off" };

const panel = (name: string, title: string, x: string, scale: Panel["scale"] = "log", y = NANOSECONDS): Panel => ({
  name,
  title,
  x,
  y,
  scale,
});
const BYTES = "bytes of a message";

/** The ten experiments (Balaji et al. 2010, sections 3.1 to 3.10). */
export const EXPERIMENTS: readonly Experiment[] = [
  {
    name: "stack",
    section: "3.1",
    title: "basic stack overhead",
    leastRanks: 2,
    programs: [
      { name: "stack" },
      { name: "shared-memory" },
      { name: "ucx", ranks: 2, libraries: ["-lucp", "-lucs"], optional: true },
    ],
    panels: [
      panel("latency", "half a round trip", BYTES),
      panel("bandwidth", "a window of 32 messages", BYTES, "log", "nanoseconds a message"),
      panel("overhead", "MPI over the transport", BYTES),
      panel("eager limit", "longest message before the protocol changes", "bytes", "log", "bytes"),
    ],
  },
  {
    name: "requests",
    section: "3.2",
    title: "request allocation and queueing",
    leastRanks: 2,
    programs: [{ name: "requests" }],
    panels: [
      panel("latency", "half a round trip", BYTES),
      panel("overhead", "over blocking calls of the same caller", BYTES, "log"),
    ],
  },
  {
    name: "matching",
    section: "3.3",
    title: "tag and source matching",
    leastRanks: 2,
    programs: [{ name: "matching" }],
    panels: [
      panel("requests", "receives posted before, of one peer", "requests"),
      panel("peers", "one receive posted before for each peer", "peers"),
      panel("per request", "the same for each request", "requests", "log", "nanoseconds a request"),
    ],
  },
  {
    name: "waitany",
    section: "3.4",
    title: "multi-request operations: waitany, the first is done",
    leastRanks: 2,
    programs: [{ name: "waitany" }],
    panels: [panel("requests", "MPI_Waitany", "requests")],
  },
  {
    name: "datatypes",
    section: "3.5",
    title: "derived datatypes: every other element",
    leastRanks: 2,
    programs: [{ name: "datatypes" }],
    panels: [panel("long", "long messages", BYTES), panel("short", "short messages", BYTES)],
  },
  {
    name: "alignment",
    section: "3.6",
    title: "buffer alignment: every other int",
    leastRanks: 2,
    programs: [{ name: "alignment" }],
    panels: [panel("latency", "bytes past a multiple of 8", BYTES)],
  },
  {
    name: "unexpected",
    section: "3.7",
    title: "unexpected messages",
    leastRanks: 2,
    programs: [{ name: "unexpected" }],
    panels: [
      panel("messages", "messages that came before, of one peer", "messages"),
      panel("peers", "one message that came before of each peer", "peers"),
    ],
  },
  {
    name: "threads",
    section: "3.8",
    title: "threads against processes: messages to MPI_PROC_NULL",
    leastRanks: 1,
    programs: [
      { name: "threads", args: ["threads"], ranks: 1, bound: false },
      { name: "threads", args: ["processes"], ranks: WORKERS, bound: false },
    ],
    panels: [
      panel("message", "time divided by all messages", "threads or processes", "linear"),
      panel("rate", "messages of all together", "threads or processes", "linear", "million messages a second"),
    ],
  },
  {
    name: "checking",
    section: "3.9",
    title: "error checking",
    leastRanks: 2,
    programs: [
      { name: "checking", args: ["checked"] },
      { name: "checking", args: ["unchecked"], ...UNCHECKED },
    ],
    panels: [
      panel("latency", "half a round trip", BYTES),
      panel("call", "a send to MPI_PROC_NULL", BYTES),
      panel("percent", "what checks add", BYTES, "log", "percent"),
    ],
  },
  {
    name: "sparse",
    section: "3.10",
    title: "sparse vector operations: an alltoallv of nothing",
    leastRanks: 2,
    programs: [
      { name: "sparse", args: ["checked"] },
      { name: "sparse", args: ["unchecked"], ...UNCHECKED },
    ],
    panels: [
      panel("alltoallv", "MPI_Alltoallv in which nobody sends", "ranks"),
      panel("loop", "the loop over counts alone", "ranks"),
      panel("peers", "an exchange with four neighbours, of nothing", "peers"),
    ],
  },
];

/** The experiment of a name. */
export const experimentOf = (name: ExperimentName): Experiment =>
  EXPERIMENTS.find((experiment) => experiment.name === name) as Experiment;
