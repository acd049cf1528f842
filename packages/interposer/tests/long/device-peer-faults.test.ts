import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withStandIn } from "../device/stand-in.js";
import { INSTALLED, ran, within, type Surroundings } from "../programs/ranks.js";

const MOST_SECONDS = "20";
const LONGEST_MS = 240_000;

/** A user other than root makes mounts in a namespace of users. */
const OWN_MOUNTS = process.geteuid?.() === 0 ? ["--mount"] : ["--mount", "--map-root-user"];

const told = (what: string, sender: string, receiver: string, how: "ipc" | "host"): string =>
  `${what}: sender ${sender}, receiver ${receiver}, by ${how}, 0 bytes wrong\n`;
const well = (what: string, how: "ipc" | "host"): string => told(what, "well", "well", how);

/** A case of peer-faults.c, what the stand-in is told, and what the program says. */
const CASES = [
  ["device", [], well("plain", "ipc")],
  ["device", ["STANDIN_DEVICE_BYTES=1048576"], well("plain", "host")],
  ["managed", [], well("plain", "host")],
  ["pool", [], well("plain", "ipc")],
  ["pageable", [], well("onto the host", "ipc") + well("then", "ipc")],
  ["contexts", [], well("first", "ipc") + well("second", "host") + well("none", "ipc")],
  ["freed", [], told("lost", "well", "buffer", "host") + well("then", "ipc")],
  ["destroyed", [], told("lost", "well", "buffer", "host") + well("then", "ipc")],
  ["sender destroyed", [], well("lost", "ipc") + well("then", "host")],
  ["persistent freed", [], told("lost", "buffer", "well", "ipc") + well("then", "ipc")],
  ["forged", [], well("forged", "host") + well("then", "ipc")],
  ["descriptors", [], "0 bytes read by others\n"],
  ["linked", [], `${well("plain", "host")}another file of 0 bytes\n`],
  ["failed", [], told("failed", "other", "other", "host") + well("then", "ipc")],
] as const;

function prepared(body: (surroundings: Surroundings, program: string) => void): Promise<void> {
  const mpi = INSTALLED.find(({ name }) => name === "openmpi");
  if (mpi === undefined) throw new Error("MPI: expected Open MPI, got none");
  return within(mpi, (surroundings) => {
    body(surroundings, withStandIn(surroundings.folder, mpi, "peer-faults.c"));
  });
}

describe.runIf(INSTALLED.some(({ name }) => name === "openmpi"))("between processes of one host, on Open MPI", () => {
  test(
    "memory of all kinds, lost, and of devices that fail: right bytes, or MPI's class on either side; never a hang",
    () =>
      prepared((surroundings, program) => {
        for (const [which, variables, said] of CASES) {
          const { output } = ran(surroundings, 2, ["timeout", MOST_SECONDS, program, which], { variables });
          expect({ which, output }).toEqual({ which, output: said });
        }
      }),
    LONGEST_MS,
  );

  test(
    "where memory that processes share is full, messages go through host memory",
    () =>
      prepared(({ mpi, ...rest }, program) => {
        const small = 'mount -t tmpfs -o size=8k tmpfs /dev/shm && exec "$@"';
        const full = {
          ...rest,
          mpi: { ...mpi, launch: ["unshare", ...OWN_MOUNTS, "sh", "-c", small, "sh", ...mpi.launch] },
        };
        const variables = ["OMPI_MCA_btl_vader_backing_directory=/tmp"];
        const { output, errors } = ran(full, 2, ["timeout", MOST_SECONDS, program, "device"], { variables });
        expect(output).toBe(well("plain", "host"));
        expect(errors).toMatch(/stowage-devices-.*: expected room for 28672 bytes, got No space left on device/);
      }),
    LONGEST_MS,
  );

  test(
    "messages that begin one behind the other share a launch on either side",
    () =>
      prepared((surroundings, program) => {
        let said = "";
        // Without code at first there are no launches; and what waits for others waits for a short time only.
        for (let runs = 0; runs < 20 && !said.endsWith(" 1 launches, 1 launches\n"); runs++)
          said = ran(surroundings, 2, ["timeout", MOST_SECONDS, program, "together"], {}).output;
        expect(said).toBe("12 messages: 1 launches, 1 launches\n");
      }),
    LONGEST_MS,
  );

  test(
    "a message goes on while its sender makes no calls",
    () =>
      prepared((surroundings, program) => {
        const words = ["timeout", MOST_SECONDS, program, "idle", join(surroundings.folder, "received")];
        expect(ran(surroundings, 2, words, {}).output).toBe(well("idle", "ipc"));
      }),
    LONGEST_MS,
  );

  test(
    "a sender that ends before its device has packed is an error of the receive",
    () =>
      prepared(({ mpi, ...rest }, program) => {
        const lives = { ...rest, mpi: { ...mpi, launch: [...mpi.launch, "--enable-recovery"] } };
        // The launcher would end the other rank as well, at once.
        const words = ["sh", "-c", `timeout ${MOST_SECONDS} '${program}' ended; sleep 2`];
        expect(ran(lives, 2, words, {}).output).toBe("receiver other\n");
      }),
    LONGEST_MS,
  );
});
