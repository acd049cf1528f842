import { describeType } from "@stowage/backend-api";
import { predefined, vector } from "@stowage/ir";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildWithStore, hasCompiler } from "../store/build-rank.js";
import { Rank } from "../store/rank.js";
import { withService } from "./with-service.js";

const everySecond = vector(3, 1, 2, predefined("MPI_SHORT"));
const description = describeType(everySecond);

let programs = "";
let program = "";
beforeAll(() => {
  programs = mkdtempSync(join(tmpdir(), "stowage-programs-"));
  program = hasCompiler ? buildWithStore(programs) : "";
});
afterAll(() => rmSync(programs, { recursive: true, force: true }));

describe.runIf(hasCompiler)("a rank and the compile service of its node", () => {
  test("a type that is committed has no code at once, and the service's soon; it packs the type's bytes", () =>
    withService(async ({ environment, cache }) => {
      using rank = new Rank(program, environment);
      await rank.ask("open");
      const type = await rank.commit(description);
      expect(await rank.ask(`await ${type}`)).toBe("1");
      expect(await rank.ask(`pack ${type} 000102030405060708090a0b`)).toBe("000104050809");
      expect(readdirSync(cache)).toHaveLength(1);
      expect(await rank.end()).toBe(0);
      expect(rank.said).toBe("");
    }));

  test("what is in the cache needs no service, in any rank", () =>
    withService(async ({ environment, service }) => {
      using first = new Rank(program, environment);
      await first.ask("open");
      await first.ask(`await ${await first.commit(description)}`);
      service.process?.kill("SIGKILL");
      using second = new Rank(program, { ...environment, STOWAGE_SERVICE: "" });
      await second.ask("open");
      expect(await second.ask(`kernel ${await second.commit(description)}`)).toBe("1");
    }));
});
