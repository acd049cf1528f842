import { expect, test } from "vitest";
import { repeatedKey } from "../../src/document/repeated-key.js";

test.each([
  ['{"a":1,"a":2}', "a"],
  ['{"x":{"a":1},"a":1,"b":[{"c":1,"c":2}]}', "c"],
  ['{"a" : 1, "\\u0061" : 2}', "a"],
  ['{"a":{"a":{"a":1}}}', undefined],
  ['[{"a":1},{"a":2}]', undefined],
  ['{"a":"{\\"b\\":1,","b":"b"}', undefined],
  ['"MPI_INT"', undefined],
])("%s has the key %s twice", (text, key) => {
  expect(repeatedKey(text)).toBe(key);
});
