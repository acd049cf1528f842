import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { recordingHeader, serviceHeader } from "../../src/formats/c-headers.js";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

test("service-formats.h of libstowage is what the tables say", async () => {
  await expect(serviceHeader()).toMatchFileSnapshot(at("../../../libstowage/c/code/service-formats.h"));
});

test("c/store/recording-formats.h is what the tables say", async () => {
  await expect(recordingHeader()).toMatchFileSnapshot(at("../../c/store/recording-formats.h"));
});
