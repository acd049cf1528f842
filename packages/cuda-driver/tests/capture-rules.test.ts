import { describe, expect, test } from "vitest";
import { copyBytes, openSimulatedCuda } from "../src/index.js";

const driver = openSimulatedCuda({ devices: 2 });
const context = driver.context();
const [source, target] = [context.pinnedMemory(8), context.pinnedMemory(8)];
const [origin, other] = [context.stream(), context.stream()];
const [begun, done] = [context.event(), context.event()];
const copy = copyBytes(context, target.address, source.address, 8);

/** A copy in another stream, between two events of the capture. */
function fork(): void {
  begun.record(origin);
  begun.holdUp(other);
  copy.run(other);
  done.record(other);
}

describe("a capture", () => {
  test("holds the work of other streams that its own waited for", () => {
    using graph = origin.capture(() => {
      fork();
      done.holdUp(origin);
    });
    using executable = graph.instantiate();
    for (const value of [3, 4]) {
      source.bytes.fill(value);
      executable.launch(origin);
      origin.synchronize();
      expect(target.bytes[7]).toBe(value);
    }
  });

  test("is refused where work of another stream is left behind", () => {
    expect(() => origin.capture(fork)).toThrow(/cuStreamEndCapture: CUDA_ERROR_STREAM_CAPTURE_UNJOINED/);
  });

  test("waits for nothing outside of it", () => {
    done.record(other);
    expect(() => origin.capture(() => done.holdUp(origin))).toThrow(/CUDA_ERROR_STREAM_CAPTURE_ISOLATION/);
  });
});

describe("an executable graph", () => {
  const another = context.pinnedMemory(8);
  const elsewhere = copyBytes(context, another.address, source.address, 8);

  test("takes other addresses from a graph of the same shape", () => {
    using graph = origin.capture(() => copy.run(origin));
    using executable = graph.instantiate();
    using changed = origin.capture(() => elsewhere.run(origin));
    executable.updateFrom(changed);
    source.bytes.fill(9);
    another.bytes.fill(0);
    executable.launch(origin);
    origin.synchronize();
    expect(another.bytes[0]).toBe(9);
  });

  test("refuses a graph of another shape", () => {
    using graph = origin.capture(() => copy.run(origin));
    using executable = graph.instantiate();
    using longer = origin.capture(() => {
      copy.run(origin);
      copy.run(origin);
    });
    expect(() => executable.updateFrom(longer)).toThrow(/cuGraphExecUpdate: CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE/);
  });
});

describe("a stream", () => {
  test("of high priority does what others do", () => {
    using urgent = context.stream({ priority: "high" });
    source.bytes.fill(5);
    copy.run(urgent);
    urgent.synchronize();
    expect(target.bytes[0]).toBe(5);
  });

  test("writes a flag once what was sent before is done", () => {
    const flag = context.pinnedMemory(4);
    source.bytes.fill(6);
    copy.run(origin);
    origin.writeWhenDone(flag.address, 77);
    expect(flag.bytes[0]).toBe(0);
    origin.synchronize();
    expect([flag.bytes[0], target.bytes[0]]).toEqual([77, 6]);
    expect(() => origin.writeWhenDone(flag.address + 1, 1)).toThrow(/cuStreamWriteValue32: CUDA_ERROR_INVALID_VALUE/);
  });

  test("takes no event of another device", () => {
    using foreign = driver.context(1);
    using event = foreign.event();
    expect(() => event.record(origin)).toThrow(/cuEventRecord: CUDA_ERROR_INVALID_HANDLE/);
  });
});
