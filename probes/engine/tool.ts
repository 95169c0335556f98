import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { LocalFailure } from '../../network/local-failure.ts';

/** How a program ended. */
export interface ToolEnd {
  /** exit code; null if a signal ended the program */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** the end of what the program wrote to standard error */
  stderr: string;
}

export interface ToolOptions {
  /** kills the program; the call then rejects with the signal's reason */
  signal: AbortSignal;
  /** receives standard output, in pieces of any size */
  onOutput: (text: string) => void;
  /** receives standard error, in pieces of any size */
  onErrorOutput?: (text: string) => void;
}

/** Maximum length of {@link ToolEnd.stderr}, in characters. */
const KEPT = 4_000;

/**
 * Runs a system program (`fping`, `nmap`) without a shell and with only PATH from this process's environment. Resolves
 * when the program has ended. The program is killed when the signal aborts. It is also killed when this process ends,
 * but only if `setpriv` is installed and the program gains no privileges; other programs must end soon on their own.
 *
 * @param args must not contain untrusted texts of a target or check: a leading `-` would make such a text an option
 * @throws LocalFailure if the program can't be started
 */
export const runTool = (
  program: string,
  args: readonly string[],
  { signal, onOutput, onErrorOutput }: ToolOptions,
): Promise<ToolEnd> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const path = process.env['PATH'] ?? '';
    const [first, ...rest] = dyingWithParent(path, program, args);
    const child = spawn(first, rest, { env: { PATH: path, LC_ALL: 'C' }, stdio: ['ignore', 'pipe', 'pipe'] });
    let stderr = '';
    const onAbort = (): void => {
      child.kill('SIGKILL');
    };
    signal.addEventListener('abort', onAbort);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (!signal.aborted) onOutput(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-KEPT);
      if (!signal.aborted) onErrorOutput?.(text);
    });
    child.on('error', (error) => {
      if (child.pid !== undefined) return;
      signal.removeEventListener('abort', onAbort);
      reject(new LocalFailure(`${program} can't be started: ${error.message}.`, { cause: error }));
    });
    child.on('close', (code, killedBy) => {
      signal.removeEventListener('abort', onAbort);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({ code, signal: killedBy, stderr });
    });
  });

/** Returns a command that the kernel kills when this process ends, if `setpriv` is installed. */
const dyingWithParent = (path: string, program: string, args: readonly string[]): [string, ...string[]] =>
  hasSetpriv(path) ? ['setpriv', '--pdeathsig', 'KILL', '--', program, ...args] : [program, ...args];

const found = new Map<string, boolean>();

const hasSetpriv = (path: string): boolean => {
  const known = found.get(path);
  if (known !== undefined) return known;
  const there = path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, 'setpriv')));
  found.set(path, there);
  return there;
};
