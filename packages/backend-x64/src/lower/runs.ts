import { general, rbx, rcx, r10, r11, rax } from "@stowage/asm-x64";
import { integerTable, type Blocks } from "@stowage/ir";
import { emitEntry, emitTableAddress } from "./displacement.js";
import type { Emitter } from "./emitter.js";
import { emitBucketWalk } from "./bucket-walk.js";
import { bucketsOf } from "./buckets.js";
import { emitOverCopy, overCopyOf } from "./over-copy.js";
import { isRuns } from "./run-tables.js";
import { copiesIn } from "./runs-clip.js";

/** The routine of all blocks of varying length: keeps the scattered register, moves the packed one on. */
export function emitRunsRoutine(e: Emitter, node: Blocks): void {
  const over = isRuns(node) ? overCopyOf(e, node) : undefined;
  const buckets = isRuns(node) && over === undefined && node.sizeBytes <= e.tuning.groupRunsBytes ? bucketsOf(node) : undefined;
  if (buckets !== undefined) return emitBucketWalk(e, buckets);
  e.reframe();
  e.emit(general.push_r64, rbx);
  if (over === undefined) e.set(rbx, 0);
  else {
    emitOverCopy(e, node, over);
    e.emit(general.mov_rm64_r64, rbx, rcx);
  }
  const top = e.asm.here();
  const end = e.asm.label();
  e.emit(general.cmp_rm64_imm32, rbx, node.displacementsBytes.length);
  e.emit(general.jae_rel32, end);
  emitBlock(e, node);
  e.emit(general.inc_rm64, rbx);
  e.emit(general.jmp_rel32, top);
  e.asm.bind(end);
  e.emit(general.pop_r64, rbx);
  e.emit(general.ret);
}

/** Block rbx. */
function emitBlock(e: Emitter, node: Blocks): void {
  const displacements = e.tables.add(e.asm, node.displacementsBytes);
  const lengths = e.tables.add(e.asm, node.blocklengths === 1 ? integerTable(0, () => 0) : node.blocklengths);
  emitTableAddress(e, r10, displacements, rbx);
  emitEntry(e, r10, displacements, r10, 0);
  emitTableAddress(e, r11, lengths, rbx);
  emitEntry(e, rcx, lengths, r11, 0);
  if (!isRuns(node)) {
    e.emit(general.push_r64, e.scattered);
    e.emit(general.add_rm64_r64, e.scattered, r10);
    e.emit(general.call_rel32, e.routine("loop", copiesIn(node)));
    e.emit(general.pop_r64, e.scattered);
    return;
  }
  e.multiply(rcx, node.child.sizeBytes);
  e.emit(general.add_rm64_r64, r10, e.scattered);
  e.emit(general.mov_rm64_r64, r11, e.packed);
  e.emit(general.add_rm64_r64, e.packed, rcx);
  if (e.direction === "unpack") {
    e.emit(general.mov_rm64_r64, rax, r10);
    e.emit(general.mov_rm64_r64, r10, r11);
    e.emit(general.mov_rm64_r64, r11, rax);
  }
  e.emit(general.call_rel32, e.copyBytes());
}

