/** Pages that several processes of a machine see: what IPC handles of simulated device memory stand for. */
export interface SharedPages {
  /**
   * Backs pages of this process by pages that other processes open by the name that this returns, at most 40 bytes
   * long; the content stays.
   */
  share(pages: Uint8Array): string;
  /** Backs pages by what another process shares under a name; false where there is nothing by this name. */
  open(name: string, pages: Uint8Array): boolean;
  /** Backs pages by memory of this process alone again. */
  close(pages: Uint8Array): void;
}
