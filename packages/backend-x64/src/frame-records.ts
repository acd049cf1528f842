import { frameInstructions, frameRows, type Assembler } from "@stowage/asm-x64";
import { ARTIFACT_FRAMES, FRAMES_ALIGNMENT } from "@stowage/backend-api";

/** A program where it lies in the code; its assembler keeps a listing. */
export interface PlacedProgram {
  readonly entry: number;
  readonly assembler: Assembler;
}

const { bytes: HEAD_BYTES, offsets: FIELD } = ARTIFACT_FRAMES;

/** How unwinders find callers from programs, as artifacts hold it. */
export function frameRecords(programs: readonly PlacedProgram[]): Uint8Array {
  const records = programs.map(recordOf);
  const all = new Uint8Array(records.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const record of records) {
    all.set(record, at);
    at += record.length;
  }
  return all;
}

function recordOf({ entry, assembler }: PlacedProgram): Uint8Array {
  const rows = frameRows(assembler);
  const instructions = frameInstructions(rows);
  const filled = Math.ceil((HEAD_BYTES + instructions.length) / FRAMES_ALIGNMENT) * FRAMES_ALIGNMENT;
  const record = new Uint8Array(filled);
  const fields = new DataView(record.buffer);
  const start = rows.rows[0]?.offset ?? rows.endBytes;
  fields.setUint32(FIELD.code, entry + start, true);
  fields.setUint32(FIELD.codeBytes, rows.endBytes - start, true);
  fields.setUint32(FIELD.instructionBytes, instructions.length, true);
  record.set(instructions, HEAD_BYTES);
  return record;
}
