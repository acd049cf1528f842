/** The few names of the WebAssembly JavaScript API that we use: neither Node's types nor ES2023's carry them. */
interface WebAssemblyApi {
  readonly Memory: new (descriptor: { readonly initial: number; readonly maximum: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => WasmModule;
  readonly Instance: new (module: WasmModule, imports: WasmImports) => WasmInstance;
}
declare const WebAssembly: WebAssemblyApi;

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}
export type WasmModule = object;
export interface WasmInstance {
  readonly exports: Readonly<Record<string, unknown>>;
}
export type WasmImports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const PAGE_BYTES = 65536;

/** A memory of fixed size: views of it never detach. */
export const fixedMemory = (pages: number): WasmMemory => new WebAssembly.Memory({ initial: pages, maximum: pages });
export const compileModule = (bytes: Uint8Array): WasmModule => new WebAssembly.Module(bytes);
export const instantiate = (module: WasmModule, imports: WasmImports): WasmInstance =>
  new WebAssembly.Instance(module, imports);
