import fc from "fast-check";
import { mem, register, type Masking, type Operand, type OperandForm, type Row } from "../src/index.js";

type Instruction = { operands: Operand[]; masking: Masking | undefined };

export const instructionOf = (row: Row): fc.Arbitrary<Instruction> =>
  fc
    .record({ operands: fc.tuple(...row.operands.map((form) => operandOf(row, form))), masking: maskingOf(row) })
    .filter((instruction) => !hasShorterSibling(row, instruction));

/**
 * GNU as prefers another row for the same text: rax with a long immediate, a shift by one, a store between registers.
 */
function hasShorterSibling(row: Row, { operands }: Instruction): boolean {
  const [first, second] = operands;
  const registers = operands.every((operand) => typeof operand === "object" && operand.kind === "register");
  if (/^(add|sub|cmp|test)$/.test(row.mnemonic) && row.encoding.immediateBits === 32) {
    return typeof first === "object" && first.kind === "register" && first.number === 0;
  }
  if (/^(shl|shr|sar)$/.test(row.mnemonic)) return second === 1;
  return /^vmovdq[au]$/.test(row.mnemonic) && registers;
}

function maskingOf(row: Row): fc.Arbitrary<Masking | undefined> {
  const form = row.operands.find(({ masked }) => masked);
  if (form === undefined) return fc.constant(undefined);
  return fc.option(
    fc.record({
      mask: fc.integer({ min: 1, max: 7 }).map((number) => register("k", number)),
      zeroing: form.zeroing && !form.memory ? fc.boolean() : fc.constant(false),
    }),
    { nil: undefined },
  );
}

const general = (except: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 15 }).filter((number) => number !== except);

const displacement = fc.oneof(
  fc.constantFrom(0, 1, -128, 127, 128, 64, -64, 4096),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
);

const memory: fc.Arbitrary<Operand> = fc
  .tuple(general(-1), fc.option(general(4), { nil: undefined }), fc.constantFrom(1, 2, 4, 8), displacement)
  .map(([base, index, scale, disp]) =>
    mem(
      register("r64", base),
      disp,
      index === undefined ? undefined : register("r64", index),
      index === undefined ? 1 : scale,
    ),
  );

function operandOf(row: Row, form: OperandForm): fc.Arbitrary<Operand> {
  if (form.immediateBits === 8) return fc.integer({ min: -128, max: 127 });
  // An immediate that a shorter form of the same instruction takes would be encoded so by GNU as.
  if (form.immediateBits === 32) return fc.integer({ min: 128, max: 2 ** 31 - 1 });
  if (form.immediateBits === 64) return fc.bigInt({ min: 1n << 33n, max: (1n << 62n) - 1n });
  const most = form.register === "k" ? 7 : row.encoding.space === "evex" ? 31 : 15;
  const kind = form.register;
  const choices: fc.Arbitrary<Operand>[] = [];
  if (kind !== undefined)
    choices.push(
      fc
        .integer({ min: 0, max: Math.min(most, kind.startsWith("r") ? 15 : most) })
        .map((number) => register(kind, number)),
    );
  if (form.memory) choices.push(memory);
  return fc.oneof(...choices);
}
