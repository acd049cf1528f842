import {
  Assembler,
  general,
  mem,
  r10,
  r12,
  r13,
  r14,
  r32d,
  rax,
  rbp,
  rbx,
  rcx,
  rdi,
  rdx,
  rsi,
  rsp,
  sse,
  type BasedMemory,
  type Label,
  type Register,
  type Row,
} from "@stowage/asm-x64";
import { emitRecords } from "../memory/launch-code.js";
import { SLICE_BYTES, WORD } from "./pool-words.js";

// Linux on x86-64: futex(2), rt_sigprocmask(2), sched_setaffinity(2); numbers of
// arch/x86/entry/syscalls/syscall_64.tbl.
const SYS_FUTEX = 202;
const FUTEX_WAIT_PRIVATE = 128;
const FUTEX_WAKE_PRIVATE = 129;
const EVERY_SLEEPER = 0x7fffffff;
const SYS_RT_SIGPROCMASK = 14;
const SIG_SETMASK = 2;
const SIGNAL_SET_BYTES = 8;
const SYS_SCHED_YIELD = 24;
const SYS_SCHED_SETAFFINITY = 203;
const SYS_SCHED_GETAFFINITY = 204;
const SYS_GETCPU = 309;
/** Bytes of a mask of processors; where the system has more processors, threads stay where they are. */
const MASK_BYTES = 128;

/** How long a thread looks at a word before it sleeps on it: some 30 microseconds, about what a sleep costs. */
const SPINS = 64;
/** Looks in a row. After these it offers its core: the one it waits for may have been put on the same. */
const LOOKS_A_SPIN = 16;

// What calls keep, by System V AMD64. Five of them on the stack align it for the calls.
const SAVED: readonly Register[] = [rbx, rbp, r12, r13, r14];
const pool = rbp;
const seen = r13;

const word = (offset: number): BasedMemory => mem(pool, offset);

/** The start routine of a worker, as pthread_create(3) wants it; its argument is the address of the pool's words. */
export function workerCode(): Uint8Array {
  const asm = new Assembler();
  const [awake, work, ending] = [asm.label(), asm.label(), asm.label()];
  for (const register of SAVED) asm.emit(general.push_r64, [register]);
  asm.emit(general.mov_rm64_r64, [pool, rdi]);
  emitBlockSignals(asm);
  set(asm, seen, 0);
  const wait = asm.here();
  emitSpin(asm, general.jne_rel32, awake, () => emitCompareTurn(asm));
  emitAtomic(asm, general.inc_rm64, WORD.sleepers);
  const sleep = asm.here();
  emitFutex(asm, WORD.turn, FUTEX_WAIT_PRIVATE, seen);
  emitCompareTurn(asm);
  asm.emit(general.je_rel32, [sleep]);
  emitAtomic(asm, general.dec_rm64, WORD.sleepers);
  asm.bind(awake);
  asm.emit(general.mov_rm64_r64, [seen, rax]);
  asm.emit(general.cmp_rm64_imm8, [word(WORD.ending), 0]);
  asm.emit(general.jne_rel32, [ending]);
  emitLeaveCallersCpu(asm);
  asm.emit(general.call_rel32, [work]);
  asm.emit(general.jmp_rel32, [wait]);
  asm.bind(ending);
  emitReturn(asm);
  emitWork(asm, work);
  return asm.finish();
}

/**
 * What starts a launch and returns when all of it is done: a function without arguments. The mailbox holds three
 * doubles: the address of the pool's words, that of the table of slices, and how many there are.
 */
export function launchOnPoolCode(mailbox: bigint): Uint8Array {
  const asm = new Assembler();
  const [awake, work, done] = [asm.label(), asm.label(), asm.label()];
  for (const register of SAVED) asm.emit(general.push_r64, [register]);
  asm.emit(general.mov_r64_imm64, [r13, mailbox]);
  asm.emit(sse.cvttsd2si, [pool, mem(r13)]);
  emitGetCpu(asm, word(WORD.callersCpu));
  emitOpen(asm, r13);
  emitAtomic(asm, general.inc_rm64, WORD.turn);
  asm.emit(general.cmp_rm64_imm8, [word(WORD.sleepers), 0]);
  asm.emit(general.je_rel32, [awake]);
  set(asm, rdx, EVERY_SLEEPER);
  emitFutex(asm, WORD.turn, FUTEX_WAKE_PRIVATE, rdx);
  asm.bind(awake);
  asm.emit(general.call_rel32, [work]);
  emitSpin(asm, general.je_rel32, done, () => asm.emit(general.cmp_rm64_imm8, [word(WORD.pending), 0]));
  emitAtomic(asm, general.inc_rm64, WORD.callerSleeps);
  const sleep = asm.here();
  asm.emit(general.mov_r64_rm64, [rdx, word(WORD.pending)]);
  asm.emit(general.test_rm64_r64, [rdx, rdx]);
  asm.emit(general.je_rel32, [done]);
  emitFutex(asm, WORD.pending, FUTEX_WAIT_PRIVATE, rdx);
  asm.emit(general.jmp_rel32, [sleep]);
  asm.bind(done);
  emitReturn(asm);
  emitWork(asm, work);
  return asm.finish();
}

/**
 * Opens the launch that a mailbox names. `left` comes last: a thread that takes a slice of it sees all that was
 * written before, as x86-64 keeps stores in order (Intel SDM volume 3, 8.2.2).
 */
function emitOpen(asm: Assembler, mailbox: Register): void {
  asm.emit(sse.cvttsd2si, [rcx, mem(mailbox, 8)]);
  asm.emit(sse.cvttsd2si, [rdx, mem(mailbox, 16)]);
  asm.emit(general.mov_rm64_r64, [word(WORD.slices), rcx]);
  asm.emit(general.mov_rm64_imm32, [word(WORD.callerSleeps), 0]);
  asm.emit(general.mov_rm64_r64, [word(WORD.pending), rdx]);
  asm.emit(general.mov_rm64_r64, [word(WORD.left), rdx]);
}

/**
 * The routine that takes slices until none is left. Taking is one atomic subtraction from `left`: whoever is late finds
 * 0 or less, or a slice of the next launch, which is then as good. The table cannot change under a slice that was
 * taken, as its launch is not over before it is done.
 */
function emitWork(asm: Assembler, work: Label): void {
  const none = asm.label();
  asm.bind(work);
  // Calls need the stack aligned.
  asm.emit(general.lea, [rsp, mem(rsp, -8)]);
  const next = asm.here();
  asm.emit(general.mov_rm64_imm32, [rax, -1]);
  asm.emit(general.lock);
  asm.emit(general.xadd_m64_r64, [word(WORD.left), rax]);
  asm.emit(general.test_rm64_r64, [rax, rax]);
  asm.emit(general.jle_rel32, [none]);
  asm.emit(general.shl_rm64_imm8, [rax, Math.log2(SLICE_BYTES)]);
  asm.emit(general.add_r64_rm64, [rax, word(WORD.slices)]);
  asm.emit(sse.cvttsd2si, [rbx, mem(rax, -SLICE_BYTES)]);
  asm.emit(sse.cvttsd2si, [r12, mem(rax, 8 - SLICE_BYTES)]);
  emitRecords(asm);
  // Non-temporal stores are in no order with others.
  asm.emit(general.sfence);
  emitAtomic(asm, general.dec_rm64, WORD.pending);
  asm.emit(general.jne_rel32, [next]);
  asm.emit(general.cmp_rm64_imm8, [word(WORD.callerSleeps), 0]);
  asm.emit(general.je_rel32, [next]);
  set(asm, rdx, EVERY_SLEEPER);
  emitFutex(asm, WORD.pending, FUTEX_WAKE_PRIVATE, rdx);
  asm.bind(none);
  asm.emit(general.lea, [rsp, mem(rsp, 8)]);
  asm.emit(general.ret);
}

/**
 * Where the system has put this worker on the caller's processor, it goes to another that it may use: a scheduler that
 * sees no cache shared between processors wakes a thread where it last ran, and moves it only when it next balances
 * their loads, which is later than a launch takes. Clobbers rbx.
 */
function emitLeaveCallersCpu(asm: Assembler): void {
  const stay = asm.label();
  const [mask, cpu] = [mem(rsp), mem(rsp, MASK_BYTES)];
  asm.emit(general.lea, [rsp, mem(rsp, -MASK_BYTES - 8)]);
  asm.emit(general.mov_rm64_imm32, [cpu, 0]);
  emitGetCpu(asm, cpu);
  asm.emit(general.mov_r64_rm64, [rax, cpu]);
  asm.emit(general.cmp_r64_m64, [rax, word(WORD.callersCpu)]);
  asm.emit(general.jne_rel32, [stay]);
  emitAffinity(asm, SYS_SCHED_GETAFFINITY, MASK_BYTES);
  asm.emit(general.test_rm64_r64, [rax, rax]);
  asm.emit(general.jle_rel32, [stay]);
  asm.emit(general.mov_rm64_r64, [rbx, rax]);
  // Without the one it is on, which moves it; then as it was. An empty mask is refused, and it stays.
  for (const change of [general.btr_m64_r64, general.bts_m64_r64]) {
    asm.emit(general.mov_r64_rm64, [rax, cpu]);
    asm.emit(change, [mask, rax]);
    emitAffinity(asm, SYS_SCHED_SETAFFINITY, rbx);
  }
  asm.bind(stay);
  asm.emit(general.lea, [rsp, mem(rsp, MASK_BYTES + 8)]);
}

/** The processors that this thread may run on, read or written, in the mask on top of the stack. */
function emitAffinity(asm: Assembler, call: number, bytes: number | Register): void {
  if (typeof bytes === "number") set(asm, rsi, bytes);
  else asm.emit(general.mov_rm64_r64, [rsi, bytes]);
  set(asm, rdi, 0);
  asm.emit(general.mov_rm64_r64, [rdx, rsp]);
  set(asm, rax, call);
  asm.emit(general.syscall);
}

/** The low half of a word = the processor that this thread is on. */
function emitGetCpu(asm: Assembler, to: BasedMemory): void {
  asm.emit(general.lea, [rdi, to]);
  set(asm, rsi, 0);
  set(asm, rdx, 0);
  set(asm, rax, SYS_GETCPU);
  asm.emit(general.syscall);
}

function emitCompareTurn(asm: Assembler): void {
  asm.emit(general.mov_r64_rm64, [rax, word(WORD.turn)]);
  asm.emit(general.cmp_rm64_r64, [rax, seen]);
}

/** Compares again and again, and jumps once `jump` does; falls through in the end. Clobbers rbx and r12. */
function emitSpin(asm: Assembler, jump: Row, to: Label, compare: () => void): void {
  set(asm, r12, SPINS);
  const spin = asm.here();
  set(asm, rbx, LOOKS_A_SPIN);
  const look = asm.here();
  compare();
  asm.emit(jump, [to]);
  asm.emit(general.pause);
  asm.emit(general.dec_rm64, [rbx]);
  asm.emit(general.jne_rel8, [look]);
  set(asm, rax, SYS_SCHED_YIELD);
  asm.emit(general.syscall);
  asm.emit(general.dec_rm64, [r12]);
  asm.emit(general.jne_rel8, [spin]);
}

function emitAtomic(asm: Assembler, operation: Row, offset: number): void {
  asm.emit(general.lock);
  asm.emit(operation, [word(offset)]);
}

/** futex(word, operation, value) without a timeout, on the low half of a word; returns for any reason. */
function emitFutex(asm: Assembler, offset: number, operation: number, value: Register): void {
  if (value !== rdx) asm.emit(general.mov_rm64_r64, [rdx, value]);
  asm.emit(general.lea, [rdi, word(offset)]);
  set(asm, rsi, operation);
  set(asm, r10, 0);
  set(asm, rax, SYS_FUTEX);
  asm.emit(general.syscall);
}

/** Signals are for the threads that the process knows of. */
function emitBlockSignals(asm: Assembler): void {
  asm.emit(general.mov_rm64_imm32, [rax, -1]);
  asm.emit(general.push_r64, [rax]);
  asm.emit(general.mov_rm64_r64, [rsi, rsp]);
  set(asm, rdi, SIG_SETMASK);
  set(asm, rdx, 0);
  set(asm, r10, SIGNAL_SET_BYTES);
  set(asm, rax, SYS_RT_SIGPROCMASK);
  asm.emit(general.syscall);
  asm.emit(general.pop_r64, [rax]);
}

function emitReturn(asm: Assembler): void {
  for (const register of [...SAVED].reverse()) asm.emit(general.pop_r64, [register]);
  set(asm, rax, 0);
  asm.emit(general.ret);
}

const set = (asm: Assembler, register: Register, value: number): void =>
  asm.emit(general.mov_r32_imm32, [r32d(register.number), value]);
