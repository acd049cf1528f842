/**
 * One call of machine code of the artifact signature: its address and its five arguments. As code reads it, it is so
 * many doubles: each is a safe integer, so that none is rounded, and writing one is a store where a 64-bit integer
 * would need a BigInt.
 */
export type LaunchRecord = readonly [
  code: number,
  source: number,
  target: number,
  count: number,
  first: number,
  length: number,
];

/** How many numbers a launch record has. */
export const RECORD_NUMBERS = 6;

/** Records as the launching code reads them. */
export function writeRecords(records: readonly LaunchRecord[]): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(records.length * RECORD_NUMBERS);
  records.forEach((record, i) => numbers.set(record, i * RECORD_NUMBERS));
  return numbers;
}

/** Record i of those that writeRecords wrote. */
export function readRecord(numbers: Float64Array, i: number): LaunchRecord {
  const at = i * RECORD_NUMBERS;
  const [code = 0, source = 0, target = 0, count = 0, first = 0, length = 0] = numbers.subarray(
    at,
    at + RECORD_NUMBERS,
  );
  return [code, source, target, count, first, length];
}
