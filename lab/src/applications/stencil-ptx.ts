import { ELEMENT_BYTES, linear, type Element, type Stencil } from "./stencil.js";

export const THREADS = 128;
/** Both are addresses of whole arrays. */
export const PARAMETER_BYTES = 16;
export const ENTRY = "stencil";

/**
 * The stencil on the inner points of an array with its ghosts, one point a thread; rows along y, planes along z. PTX as
 * text: packages/ptx moves bytes and has no floating point. Operations are rounded one by one (PTX ISA 8.0, section
 * 9.7.3), never fused.
 */
export function stencilPtx(stencil: Stencil, element: Element, sizes: readonly number[]): string {
  const bytes = ELEMENT_BYTES[element];
  const type = element === "float" ? "f32" : "f64";
  const { radius } = stencil;
  const [columns, rows] = [sizes.at(-1) as number, sizes.at(-2) as number];
  const first = linear(
    sizes.map(() => radius),
    sizes,
  );
  return `.version 7.0
.target sm_75
.address_size 64
.visible .entry ${ENTRY}(.param .u64 source, .param .u64 target)
{
  .reg .u32 %x, %y, %z, %width;
  .reg .u64 %at, %from, %to;
  .reg .${type} %value, %sum, %point;
  .reg .pred %outside;
  mov.u32 %x, %ctaid.x;
  mov.u32 %width, %ntid.x;
  mov.u32 %y, %tid.x;
  mad.lo.u32 %x, %x, %width, %y;
  setp.ge.u32 %outside, %x, ${columns - 2 * radius};
  @%outside ret;
  mov.u32 %y, %ctaid.y;
  mov.u32 %z, %ctaid.z;
  mad.lo.u32 %y, %z, ${rows}, %y;
  mul.wide.u32 %at, %y, ${columns * bytes};
  mad.wide.u32 %at, %x, ${bytes}, %at;
  add.u64 %at, %at, ${first * bytes};
  ld.param.u64 %from, [source];
  ld.param.u64 %to, [target];
  add.u64 %from, %from, %at;
  add.u64 %to, %to, %at;
${stencil.terms.map((term, i) => termText(term, i, sizes, bytes, type)).join("\n")}
  st.global.${type} [%to], %value;
  ret;
}
`;
}

function termText(
  { weight, steps }: Stencil["terms"][number],
  i: number,
  sizes: readonly number[],
  bytes: number,
  type: "f32" | "f64",
): string {
  const lines = steps.flatMap((each, j) => {
    const load = `ld.global.${type} %${j === 0 ? "sum" : "point"}, [%from+${linear(each, sizes) * bytes}];`;
    return j === 0 ? [load] : [load, `add.rn.${type} %sum, %sum, %point;`];
  });
  const factor = constant(weight, type);
  const last =
    i === 0
      ? [`mul.rn.${type} %value, %sum, ${factor};`]
      : [`mul.rn.${type} %sum, %sum, ${factor};`, `add.rn.${type} %value, %value, %sum;`];
  return [...lines, ...last].map((line) => `  ${line}`).join("\n");
}

/** A constant by its bits: 0f and 8 digits, 0d and 16. */
function constant(value: number, type: "f32" | "f64"): string {
  const bits = new DataView(new ArrayBuffer(8));
  if (type === "f32") bits.setFloat32(0, value);
  else bits.setFloat64(0, value);
  const digits = Array.from({ length: type === "f32" ? 4 : 8 }, (_, i) =>
    bits.getUint8(i).toString(16).padStart(2, "0"),
  );
  return `0${type === "f32" ? "f" : "d"}${digits.join("")}`;
}
