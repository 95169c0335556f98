import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { OwnTrouble } from '../../network/own-trouble.ts';

/** How a program ended by itself. */
export interface ToolEnd {
  /** null: a signal ended it */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** the end of its standard error */
  stderr: string;
}

export interface ToolOptions {
  /** kills the program; the call then rejects with the signal's reason */
  signal: AbortSignal;
  /** what the program writes to its standard output, in pieces cut anywhere */
  onOutput: (text: string) => void;
  /** what it writes to its standard error, likewise */
  onErrorOutput?: (text: string) => void;
}

/** How much of stderr is kept, characters. */
const KEPT = 4_000;

/**
 * Runs a program of the system (`fping`, `nmap`) without a shell, with only PATH from this process's environment, and
 * resolves when it has ended. It is killed when the run ends, and when this process ends (if `setpriv` is there and the
 * program gains no rights by starting; others must end soon by themselves).
 *
 * @param args never raw texts of a target or a check: a leading `-` would be an option
 * @throws OwnTrouble it can't be started
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
      reject(new OwnTrouble(`${program} can't be started: ${error.message}.`, { cause: error }));
    });
    child.on('close', (code, killedBy) => {
      signal.removeEventListener('abort', onAbort);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({ code, signal: killedBy, stderr });
    });
  });

/** A command that the kernel kills when this process has ended. */
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
