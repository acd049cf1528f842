// What `stowage run` loads: it is started for every job.
export type { Ended } from "./run-command.js";
export type { RunOptions } from "./run-environment.js";
export { runInterposed, type Say } from "./run-interposed.js";
