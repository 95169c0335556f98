import type { Readable } from 'node:stream';
import type { Frame } from '../frames.ts';
import type { BeginMessage, ScriptKind } from '../protocol.ts';
import type { SandboxEnd } from './start/running.ts';
import type { Proxy } from './start/sandboxed.ts';

/** A warm process tree for one run of one script. The program inside waits for the script. */
export interface Sandbox<P extends Proxy> {
  kind: ScriptKind;
  /** name and version of the browser, as reported by the program inside; null if there is no browser */
  browser: string | null;
  proxy: P;
  /** Sends the script. */
  begin: (begin: BeginMessage) => void;
  /** Messages of the program inside. They are read only on demand, so the caller must read them until the end. */
  frames: AsyncGenerator<Frame, void, undefined>;
  /** Output of the program inside. Unread output blocks the program: read it, or call `resume()`. */
  stdout: Readable;
  stderr: Readable;
  /** resolves when the sandbox is completely removed, with its processes, mounts, files, sockets and cgroups */
  ended: Promise<SandboxEnd>;
  /** Kills the sandbox immediately. Resolves when the sandbox is completely removed. */
  end: () => Promise<void>;
}
