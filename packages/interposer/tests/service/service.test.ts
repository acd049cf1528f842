import { describeType } from "@stowage/backend-api";
import { predefined, vector } from "@stowage/ir";
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hasCompiler } from "../store/build-rank.js";
import { programsBuilt } from "../store/programs.js";
import { Rank } from "../store/rank.js";
import { withService } from "./with-service.js";

const everySecond = vector(3, 1, 2, predefined("MPI_SHORT"));
const description = describeType(everySecond);

const program = programsBuilt(["rank"]);

describe.runIf(hasCompiler)("a rank and the compile service of its node", () => {
  test("a type that is committed has no code at once, and the service's soon; it packs the type's bytes", () =>
    withService(async ({ environment, cache }) => {
      using rank = new Rank(program("rank"), environment);
      await rank.ask("open");
      const type = await rank.commit(description);
      expect(await rank.getsCode(type)).toBe(true);
      expect(await rank.ask(`pack ${type} 000102030405060708090a0b`)).toBe("000104050809");
      expect(readdirSync(cache)).toHaveLength(1);
      expect(await rank.end()).toBe(0);
      expect(rank.said).toBe("");
    }));

  test("what is in the cache needs no service, in any rank", () =>
    withService(async ({ environment, service }) => {
      using first = new Rank(program("rank"), environment);
      await first.ask("open");
      await first.getsCode(await first.commit(description));
      service.process?.kill("SIGKILL");
      using second = new Rank(program("rank"), { ...environment, STOWAGE_SERVICE: "" });
      await second.ask("open");
      expect(await second.ask(`kernel ${await second.commit(description)}`)).toBe("1");
    }));
});
