import { ArgumentError } from "@stowage/ir";
import type { CompiledType } from "../compiled-type.js";
import { constantsOf, CONTRACT, documentLines, extentOf, signatureText } from "./described.js";

/** Fortran 2018, section 6.2.2: letters, digits and underscores after a letter, 63 at most, whatever their case. */
const LONGEST_NAME = 63;
const LONGEST_SUFFIX = "_true_lower_bound";
/** Fortran 2018, section 6.3.2.1, less what an "&" takes. */
const LONGEST_TEXT = 100;

/**
 * The module NAME_module of bind(C) interfaces to the functions and of constants, as Fortran 2018 has them. Throws an
 * ArgumentError.
 */
export function fortranModule(types: readonly CompiledType[], name: string): string {
  requireNames(types.map(({ symbol }) => symbol));
  const head = ["Written by stowage compile.", "", ...exampleOf(types, name), ...CONTRACT].map((line) =>
    `! ${line}`.trimEnd(),
  );
  return [
    ...head,
    `module ${name}_module`,
    "  use, intrinsic :: iso_c_binding, only: c_int64_t",
    "  implicit none",
    "  private :: c_int64_t",
    "",
    ...types.flatMap(constants),
    "",
    "  interface",
    ...types.flatMap(interfaces),
    "  end interface",
    `end module ${name}_module`,
    "",
  ].join("\n");
}

/** A program of the first type, which compiles as it is printed. */
function exampleOf([first]: readonly CompiledType[], name: string): readonly string[] {
  if (first === undefined) return [];
  const { symbol } = first;
  return [
    "A program that packs one element and unpacks it again:",
    "",
    ...[
      "program example",
      `  use ${name}_module`,
      "  use, intrinsic :: iso_c_binding, only: c_int8_t, c_int64_t",
      "  implicit none",
      "  integer(c_int8_t), allocatable :: element(:), packed(:)",
      "  integer(c_int64_t) :: low",
      `  low = ${symbol}_true_lower_bound`,
      "  ! The datatype's address 0 is that of element(0).",
      `  allocate(element(min(low, 0_c_int64_t):max(low + ${symbol}_true_extent, 0_c_int64_t)), source=0_c_int8_t)`,
      `  allocate(packed(${symbol}_size))`,
      `  call ${symbol}_pack(element(0), packed, 1_c_int64_t, 0_c_int64_t, ${symbol}_size)`,
      `  call ${symbol}_unpack(packed, element(0), 1_c_int64_t, 0_c_int64_t, ${symbol}_size)`,
      "end program example",
    ].map((line) => `  ${line}`),
    "",
  ];
}

function requireNames(symbols: readonly string[]): void {
  const known = new Set<string>();
  for (const symbol of symbols) {
    const lower = symbol.toLowerCase();
    if (!/^[a-z]/.test(lower) || symbol.length + LONGEST_SUFFIX.length > LONGEST_NAME) {
      const most = LONGEST_NAME - LONGEST_SUFFIX.length;
      throw new ArgumentError("symbol for Fortran", `a letter first and at most ${most} characters`, symbol);
    }
    if (known.has(lower)) throw new ArgumentError("symbol for Fortran", "one that differs by more than case", symbol);
    known.add(lower);
  }
}

function constants(type: CompiledType): readonly string[] {
  const { symbol, datatype, copiesTo } = type;
  const comment = [
    `${symbol}: packed as`,
    ...documentLines(datatype),
    ...(copiesTo === undefined
      ? []
      : [`${symbol}_copy goes to elements ${extentOf(copiesTo)} bytes apart:`, ...documentLines(copiesTo)]),
  ];
  return [
    ...comment.map((line) => `  ! ${line}`),
    ...constantsOf(type).map(
      ([name, value]) => `  integer(c_int64_t), parameter :: ${symbol}_${name} = ${literal(value)}`,
    ),
    `  character(len=*), parameter :: ${symbol}_signature = &`,
    ...characters(signatureText(datatype)),
  ];
}

const literal = (value: number): string => `${value}_c_int64_t`;

/** A character constant over as many lines as it needs. */
function characters(text: string): readonly string[] {
  const pieces = text.match(new RegExp(`.{1,${LONGEST_TEXT}}`, "g")) ?? [""];
  return pieces.map((piece, i) => `    "${piece}"${i + 1 < pieces.length ? " // &" : ""}`);
}

function interfaces({ symbol, copiesTo }: CompiledType): readonly string[] {
  const names = copiesTo === undefined ? ["pack", "unpack"] : ["pack", "unpack", "copy"];
  return names.flatMap((name) => [
    `    pure subroutine ${symbol}_${name}(source, target, count, first, length) &`,
    `        bind(C, name="${symbol}_${name}")`,
    "      import :: c_int64_t",
    "      type(*), intent(in) :: source(*)",
    "      type(*), intent(inout) :: target(*)",
    "      integer(c_int64_t), value :: count, first, length",
    `    end subroutine ${symbol}_${name}`,
  ]);
}
