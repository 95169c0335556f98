import type { Readable } from 'node:stream';
import type { Frame } from '../frames.ts';
import type { Begin, ScriptKind } from '../protocol.ts';
import type { SandboxEnd } from './start/running.ts';
import type { Proxy } from './start/sandboxed.ts';

/** A process tree for one run of one script, which is warm: the program inside waits for the script. */
export interface Sandbox<P extends Proxy> {
  kind: ScriptKind;
  /** name and version of the browser, as the program inside says; null: it has none */
  browser: string | null;
  proxy: P;
  /** Hands the script over. */
  begin: (begin: Begin) => void;
  /** What the program inside says from then on. Nothing is read that nobody asks for; ask until it ends. */
  frames: AsyncGenerator<Frame, void, undefined>;
  /** What is not read stays there, and whoever writes more waits: read them, or `resume()`. */
  stdout: Readable;
  stderr: Readable;
  /** resolves when nothing of it is left: no process, mount, file, socket or group */
  ended: Promise<SandboxEnd>;
  /** Kills all of it at once, and resolves when nothing is left. */
  end: () => Promise<void>;
}
