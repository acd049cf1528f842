import type { TestHosts } from "./test-hosts.js";

/** A family of MPIs, and the name of its launcher. */
export interface Launcher {
  readonly family: "openmpi" | "mpich";
  readonly launcher: string;
}

/** Command words that start so many ranks, as many on each host; `settings` are the launcher's own. */
export function launchBetween(
  hosts: TestHosts,
  { family, launcher }: Launcher,
  ranks: number,
  settings: readonly string[] = [],
): readonly string[] {
  const each = ranks / hosts.names.length;
  const where = hosts.names.map((name) => `${name}:${each}`).join(",");
  return family === "openmpi"
    ? [
        ...[launcher, "--mca", "plm_rsh_agent", hosts.ssh, "--mca", "oob_tcp_if_include", "eth0", ...settings],
        ...["--host", where, "-n", String(ranks)],
      ]
    : [
        ...[launcher, "-launcher", "ssh", "-launcher-exec", hosts.ssh, ...settings],
        ...["-hosts", where, "-n", String(ranks)],
      ];
}

/** Settings of Open MPI for messages by its own TCP. */
export const BY_BTL_TCP: readonly string[] = [
  ...["--mca", "pml", "ob1", "--mca", "btl", "tcp,self,vader", "--mca", "btl_tcp_if_include", "eth0"],
];
