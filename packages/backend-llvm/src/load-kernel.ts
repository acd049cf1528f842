import { ArtifactError, type Artifact, type Kernel } from "@stowage/backend-api";
import { HostKernel, mailboxAddress, MoveCode } from "@stowage/host-plans";
import { BYTES, LAUNCH, MAILBOX } from "./lower/launch.js";
import { entryNames } from "./lower/program.js";
import { LlvmLauncher } from "./memory/launcher.js";
import { Mapping } from "./memory/mapping.js";
import type { Image } from "./object/link.js";

/**
 * Loads the code of an artifact. Throws a DeviceError where the system refuses executable memory, an ArtifactError
 * where a function is missing.
 */
export function loadKernel({ moves, conditions }: Artifact, { bytes, symbols }: Image, explain: () => string): Kernel {
  const offsetOf = (name: string): number => {
    const offset = symbols.get(name);
    if (offset === undefined) throw new ArtifactError(`object file of an llvm artifact: expected ${name}, got none`);
    return offset;
  };
  const entries = entryNames(moves).map(offsetOf);
  const [launch, copy, mailbox] = [LAUNCH, BYTES, MAILBOX].map(offsetOf) as [number, number, number];
  const code = new Mapping(bytes, (view) => view.setBigUint64(mailbox, mailboxAddress(), true));
  const codeAt = (offset: number): MoveCode => new MoveCode(() => code.address + offset);
  const run = codeAt(copy);
  const codes = entries.map((entry) => ({ move: codeAt(entry), run }));
  return new HostKernel({ moves, conditions, codes, code, launcher: new LlvmLauncher(code.address + launch), explain });
}
