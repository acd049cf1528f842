import { expect, test } from "vitest";
import { ArgumentError, DatatypeError, StowageError } from "../src/index.js";

test("an error says subject, expected and got, each alone and in one line", () => {
  const error = new ArgumentError("count", "an integer", "1n");
  expect(error).toBeInstanceOf(StowageError);
  expect(error).toMatchObject({ code: "STOWAGE_ARGUMENT", subject: "count", expected: "an integer", got: "1n" });
  expect(error.message).toBe("count: expected an integer, got 1n");
});

test("a datatype's error has its path in the subject and beside it", () => {
  const error = new DatatypeError({ path: "type.child", subject: "count", expected: "an integer", got: "-1" });
  expect(error).toMatchObject({ name: "DatatypeError", code: "STOWAGE_DATATYPE", subject: "type.child: count" });
  expect(error.details).toMatchObject({ path: "type.child", subject: "count" });
  expect(error.message).toBe("type.child: count: expected an integer, got -1");
});

test("the parts of a message are found, and a message of another form is what came", () => {
  const parts = (message: string) => {
    const { subject, expected, got } = new StowageError("STOWAGE_DEVICE", message);
    return [subject, expected, got];
  };
  expect(parts("artifact: expected one of x64, got one of cpu")).toEqual(["artifact", "one of x64", "one of cpu"]);
  expect(parts("cuMemAlloc: out of memory: free some")).toEqual(["cuMemAlloc", "success", "out of memory: free some"]);
  expect(parts("gone")).toEqual(["gone", "success", "gone"]);
});

test("the cause is kept", () => {
  const cause = new Error("below");
  expect(new StowageError("STOWAGE_DEVICE", "call: failed", { cause }).cause).toBe(cause);
});
