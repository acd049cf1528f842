import { general, mem, r10, r11, r8, r9, rax, rcx } from "@stowage/asm-x64";
import type { Blocks } from "@stowage/ir";
import { emitEntry, emitTableAddress } from "./displacement.js";
import type { Emitter } from "./emitter.js";
import { packedStarts } from "./run-tables.js";

/** Longest run that is packed by moves of constant length, whatever its own. */
const LONGEST_BYTES = 128;
/** Bytes moved in vain at most, for each byte of a run on average. */
const MOST_WASTE = 4;

/** Runs that may each be packed by one fixed number of moves, the next run overwriting what was too much. */
export interface OverCopy {
  /** Bytes that every run moves. */
  readonly stepBytes: number;
  /** Runs from the first on whose step stays inside what may be read and written. */
  readonly runs: number;
}

/** undefined: unpacking, long runs, or ones too unlike in length. */
export function overCopyOf(e: Emitter, node: Blocks): OverCopy | undefined {
  const { blocklengths, displacementsBytes, child } = node;
  if (e.direction === "unpack" || blocklengths === 1) return undefined;
  let longest = 0;
  for (const length of blocklengths) longest = Math.max(longest, length * child.sizeBytes);
  const stepBytes = Math.ceil(longest / e.isa.widest) * e.isa.widest;
  if (stepBytes > LONGEST_BYTES || stepBytes * blocklengths.length > MOST_WASTE * node.sizeBytes) return undefined;
  const starts = packedStarts(node);
  let runs = 0;
  while (
    runs < blocklengths.length &&
    (displacementsBytes[runs] as number) + stepBytes <= node.highBytes &&
    (starts[runs] as number) + stepBytes <= node.sizeBytes
  )
    runs++;
  // One displacement near the end of the extent that comes early would leave little to gain.
  return runs * 2 < blocklengths.length ? undefined : { stepBytes, runs };
}

/**
 * Packs the runs [0, runs): leaves rcx = the next run, the packed register where it goes. Keeps the scattered
 * register.
 */
export function emitOverCopy(e: Emitter, node: Blocks, { stepBytes, runs }: OverCopy): void {
  const displacements = e.tables.add(e.asm, node.displacementsBytes);
  const lengths = e.tables.add(e.asm, node.blocklengths === 1 ? node.displacementsBytes : node.blocklengths);
  const unit = node.child.sizeBytes;
  emitTableAddress(e, r8, displacements);
  emitTableAddress(e, r11, lengths);
  e.set(rcx, 0);
  const top = e.asm.here();
  e.emit(general.lea, r10, mem(r8, 0, rcx, displacements.entryBytes));
  emitEntry(e, r9, displacements, r10, 0);
  e.emit(general.lea, r10, mem(r11, 0, rcx, lengths.entryBytes));
  emitEntry(e, rax, lengths, r10, 0);
  for (let offset = 0; offset < stepBytes; offset += e.isa.widest) {
    e.transfer(e.isa.widest, mem(e.scattered, offset, r9), mem(e.packed, offset));
  }
  e.multiply(rax, unit);
  e.emit(general.add_rm64_r64, e.packed, rax);
  e.emit(general.inc_rm64, rcx);
  e.emit(general.cmp_rm64_imm32, rcx, runs);
  e.emit(general.jb_rel32, top);
}
