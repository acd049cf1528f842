import { FunctionCode } from "../wasm/function-code.js";
import { globalIndex, type GlobalName } from "./translator.js";

/** The exported function: base, then grid and block dimensions; runs every block of the grid in turn. */
export function gridCode(blockIndex: number): FunctionCode {
  const code = new FunctionCode({ parameters: ["i32", "i32", "i32", "i32", "i32", "i32", "i32"], results: [] });
  const sizes: readonly GlobalName[] = ["nctaid.x", "nctaid.y", "nctaid.z", "ntid.x", "ntid.y", "ntid.z"];
  sizes.forEach((name, i) => code.get(i + 1).setGlobal(globalIndex(name)));
  const each = (axis: "x" | "y" | "z", bound: number, body: () => void): void => {
    const global = globalIndex(`ctaid.${axis}`);
    code.i32(0).setGlobal(global);
    code.while(
      () => code.getGlobal(global).get(bound).op("i32LtU"),
      () => {
        body();
        code.getGlobal(global).i32(1).op("i32Add").setGlobal(global);
      },
    );
  };
  const block = (): void => void code.get(0).get(4).get(5).op("i32Mul").get(6).op("i32Mul").call(blockIndex);
  each("z", 3, () => each("y", 2, () => each("x", 1, block)));
  return code;
}
