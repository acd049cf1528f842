import { avx, rip, xmm, ymm, type Register } from "@stowage/asm-x64";
import type { Constant, Filling, LanePair, NearRound } from "../loops/plans.js";
import type { Emitter, Offsets } from "./emitter.js";

/** ymm0 to ymm7 are worked in, ymm8 to ymm15 hold constants. */
const WORKING = 8;

/** Fills the registers that no round changes; nothing else may be moved before the rounds. */
export function emitNearConstants(e: Emitter, { constants }: NearRound): void {
  [...constants.values()].forEach((constant, i) =>
    e.emit(avx.vmovdqu_ymm_load, ymm(WORKING + i), rip(e.tables.add(e.asm, constant).label)),
  );
}

/** A round of blocks, the first at `offsets`. */
export function emitNearRound(e: Emitter, { vectors, constants }: NearRound, offsets: Offsets): void {
  const keys = [...constants.keys()];
  const registerOf = (constant: Constant): Register => ymm(WORKING + keys.indexOf(constant.join()));
  vectors.forEach(({ packedBytes, filling }, i) => {
    const number = (2 * i) % WORKING;
    emitFilling(e, filling, offsets.s, number, registerOf);
    e.emit(avx.vmovdqu_ymm_store, e.packedAt(offsets.p + packedBytes), ymm(number));
  });
}

type RegisterOf = (constant: Constant) => Register;

/** Into ymm `number`; the one after it is free too. `scattered`: where the round's first block lies. */
function emitFilling(e: Emitter, filling: Filling, scattered: number, number: number, registerOf: RegisterOf): void {
  if (filling.what === "lanes") return emitLanes(e, filling.pairs, scattered, number, registerOf);
  const register = ymm(number);
  e.emit(avx.vmovdqu_ymm_load, register, e.scatteredAt(scattered + filling.baseBytes));
  for (const { offsetBytes, dwords, mask } of filling.blends) {
    const from = e.scatteredAt(scattered + offsetBytes);
    if (dwords === undefined) e.emit(avx.vpblendvb, register, register, from, registerOf(mask));
    else e.emit(avx.vpblendd, register, register, from, dwords);
  }
  if (filling.order !== undefined) e.emit(avx.vpermd, register, registerOf(filling.order), register);
}

function emitLanes(
  e: Emitter,
  pairs: readonly LanePair[],
  scattered: number,
  number: number,
  registerOf: RegisterOf,
): void {
  pairs.forEach(({ offsetsBytes: [low, high], control }, i) => {
    const half = i === 0 ? number : number + 1;
    const [from, second] = [e.scatteredAt(scattered + low), e.scatteredAt(scattered + high)];
    e.emit(avx.vmovdqu_xmm_load, xmm(half), from);
    e.emit(avx.vinserti128, ymm(half), ymm(half), second, 1);
    e.emit(avx.vpshufb, ymm(half), ymm(half), registerOf(control));
    if (i > 0) e.emit(avx.vpor, ymm(number), ymm(number), ymm(half));
  });
}
