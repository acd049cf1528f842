import { createContext, runInContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { bundlePage } from "./bundle.js";
import { EXPECTED } from "./page.js";

describe("an engine over backend-cpu, bundled for browsers", () => {
  let page: Awaited<ReturnType<typeof bundlePage>>;
  beforeAll(async () => {
    page = await bundlePage();
  });

  test("imports nothing of Node's, nor anything else from outside", () => {
    expect([...page.imports, ...page.dynamicImports]).toEqual([]);
    expect(page.code).not.toMatch(/["'`]node:|\brequire\(|\bprocess\.\w/);
    expect(page.moduleIds.filter((id) => id.includes("node_modules"))).toEqual([]);
  });

  test("packs where there is nothing but ECMAScript's own globals", () => {
    const context = createContext({});
    runInContext(page.code, context);
    expect(runInContext("page.report()", context)).toBe(EXPECTED);
  });
});
