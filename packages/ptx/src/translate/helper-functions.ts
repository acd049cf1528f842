import { FunctionCode } from "../wasm/function-code.js";

/** The high 64 bits of a 128-bit product, from four 32-bit products (Knuth, TAOCP 2, algorithm 4.3.1M). */
export function mulHighU64(): FunctionCode {
  const code = new FunctionCode({ parameters: ["i64", "i64"], results: ["i64"] });
  const [a, b] = [0, 1];
  const [middle, cross] = [code.local("i64"), code.local("i64")];
  const low = (local: number): void => void code.get(local).i64(0xffffffffn).op("i64And");
  const high = (local: number): void => void code.get(local).i64(32n).op("i64ShrU");
  // middle = high(a)·low(b) + high(low(a)·low(b))
  high(a);
  low(b);
  code.op("i64Mul");
  low(a);
  low(b);
  code.op("i64Mul").i64(32n).op("i64ShrU", "i64Add").set(middle);
  // cross = low(a)·high(b) + low(middle)
  low(a);
  high(b);
  code.op("i64Mul");
  low(middle);
  code.op("i64Add").set(cross);
  high(a);
  high(b);
  code.op("i64Mul");
  high(middle);
  code.op("i64Add");
  high(cross);
  return code.op("i64Add");
}

/** prmt.b32 in its default mode: each selector digit picks a byte of (b:a); bit 3 spreads that byte's sign. */
export function permute(): FunctionCode {
  const code = new FunctionCode({ parameters: ["i32", "i32", "i32"], results: ["i32"] });
  const [a, b, selector] = [0, 1, 2];
  const [pair, byte, result] = [code.local("i64"), code.local("i32"), code.local("i32")];
  code.get(b).op("i64ExtendI32U").i64(32n).op("i64Shl").get(a).op("i64ExtendI32U", "i64Or").set(pair);
  for (let i = 0; i < 4; i++) {
    const digit = (mask: number): void =>
      void code
        .get(selector)
        .i32(4 * i)
        .op("i32ShrU")
        .i32(mask)
        .op("i32And");
    code.get(pair);
    digit(7);
    code.i32(3).op("i32Shl", "i64ExtendI32U", "i64ShrU", "i32WrapI64").i32(0xff).op("i32And").set(byte);
    digit(8);
    code.if(() => code.i32(0).get(byte).i32(7).op("i32ShrU", "i32Sub").i32(0xff).op("i32And").set(byte));
    code
      .get(result)
      .get(byte)
      .i32(8 * i)
      .op("i32Shl", "i32Or")
      .set(result);
  }
  return code.get(result);
}

/**
 * (list, count, shift) -> how many different values the i64 list holds once each is shifted right; the list
 * becomes those values. Rising runs, the common case, cost one comparison each.
 */
export function distinct(): FunctionCode {
  const code = new FunctionCode({ parameters: ["i32", "i32", "i32"], results: ["i32"] });
  const [list, count, shift] = [0, 1, 2];
  const [from, found, search] = [code.local("i32"), code.local("i32"), code.local("i32")];
  const [value, largest] = [code.local("i64"), code.local("i64")];
  const slot = (index: number): void => void code.get(list).get(index).i32(3).op("i32Shl", "i32Add");
  const append = (): void => {
    slot(found);
    code.get(value).memory("i64Store", 0).get(found).i32(1).op("i32Add").set(found);
  };
  code.while(
    () => code.get(from).get(count).op("i32LtU"),
    () => {
      slot(from);
      code.memory("i64Load", 0).get(shift).op("i64ExtendI32U", "i64ShrU").set(value);
      code.get(found).op("i32Eqz").get(value).get(largest).op("i64GtU", "i32Or");
      code.if(
        () => {
          append();
          code.get(value).set(largest);
        },
        () => {
          code.get(found).set(search);
          code.doWhile(() => {
            code.get(search).i32(1).op("i32Sub").set(search);
            slot(search);
            code.memory("i64Load", 0).get(value).op("i64Ne").get(search).i32(0).op("i32Ne", "i32And");
          });
          slot(search);
          code.memory("i64Load", 0).get(value).op("i64Ne").if(append);
        },
      );
      code.get(from).i32(1).op("i32Add").set(from);
    },
  );
  return code.get(found);
}
