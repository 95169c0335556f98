import type { Readable } from 'node:stream';
import type { Frame } from '../frames.ts';
import type { BeginMessage, ScriptKind } from '../protocol.ts';
import type { SandboxEnd } from './start/running.ts';
import type { Proxy } from './start/sandboxed.ts';

/** A warm process tree for one run of one script: the program inside waits for the script. */
export interface Sandbox<P extends Proxy> {
  kind: ScriptKind;
  /** name and version of the browser, as reported by the program inside; null: none */
  browser: string | null;
  proxy: P;
  /** Sends the script. */
  begin: (begin: BeginMessage) => void;
  /** The messages of the program inside. They are read only on demand; read them until the end. */
  frames: AsyncGenerator<Frame, void, undefined>;
  /** Unread output blocks its writer: read it, or call `resume()`. */
  stdout: Readable;
  stderr: Readable;
  /** resolves when nothing of it is left: no process, mount, file, socket or cgroup */
  ended: Promise<SandboxEnd>;
  /** Kills it immediately, and resolves when nothing is left. */
  end: () => Promise<void>;
}
