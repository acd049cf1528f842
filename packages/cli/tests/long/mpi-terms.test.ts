import type { MpiFamily } from "@stowage/mpi-abi";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MODELS_VERSION, profileText, PROFILE_SCHEMA, thisMachine, type ProfileDocument } from "@stowage/selector";
import { describe, expect, it } from "vitest";
import { ADVICE, installed, launch } from "../../../mpi-bridge/tests/launch.js";

const STOWAGE = fileURLToPath(new URL("../../bin/stowage.js", import.meta.url));

describe.each<MpiFamily>(["openmpi", "mpich"])(`calibrate under %s (${ADVICE} installs it)`, (family) => {
  it.skipIf(installed(family) === undefined)(
    "adds the MPI's terms to a profile, by which a message is explained",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "stowage-terms-"));
      try {
        const path = join(folder, "profile.json");
        const command = [process.execPath, STOWAGE, "calibrate", "--out", path];
        expect(launch(family, 2, command).output).toContain(
          `stowage: profile ${path}: expected one to add an MPI's terms to (stowage calibrate, without mpirun), got none`,
        );
        const date = "2026-11-22T00:00:00.000Z";
        const document: ProfileDocument = {
          schema: PROFILE_SCHEMA,
          models: MODELS_VERSION,
          date,
          machine: thisMachine(),
          noise: 0,
          figures: {},
        };
        writeFileSync(path, profileText(document));
        const { status, output } = launch(family, 2, command);
        expect(status, output).toBe(0);
        const { figures } = JSON.parse(readFileSync(path, "utf8")) as {
          figures: Record<string, Record<string, number>>;
        };
        const [section = ""] = Object.keys(figures);
        expect(section.startsWith(`${family}-`)).toBe(true);
        expect(figures[section]?.["messageNs.1048576"]).toBeGreaterThan(0);
        const explained = launch(family, 1, [process.execPath, STOWAGE, "explain", "NAS_MG_x/1", "--message"], {
          STOWAGE_PROFILE: path,
        });
        expect(explained.output).toMatch(/native, by its own datatype +\d/);
        expect(explained.output).toMatch(/packed, by ours, and copied once +\d/);
        expect(explained.output).toMatch(/32\.0 KiB of contiguous bytes take .* from one rank to another/);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});
