import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { storeFormats } from "../../src/formats/store-formats.js";

test("c/store/store-formats.h is what the tables say", async () => {
  await expect(storeFormats()).toMatchFileSnapshot(
    fileURLToPath(new URL("../../c/store/store-formats.h", import.meta.url)),
  );
});
