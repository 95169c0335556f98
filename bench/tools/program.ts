import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiled, inProject, PROJECT } from '../../test/project.ts';

export const ADMIN_API_KEY = 'benchmark-admin-key';
const START_TIMEOUT_MS = 60_000;

export interface Program {
  /** `http://127.0.0.1:3000` */
  address: string;
  key: string;
  pid: number;
  stop: () => Promise<void>;
}

/** Starts the real program with a new data directory. */
export const startProgram = async (env: Record<string, string> = {}): Promise<Program> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-bench-'));
  const child = spawn(process.execPath, [inProject('dist/cli/uptrail.cjs'), 'serve'], {
    cwd: PROJECT,
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: join(folder, 'data'), PORT: '0', ADMIN_API_KEY, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async (): Promise<void> => {
    await ended(child, 'SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { address: await addressOf(child), key: ADMIN_API_KEY, pid: child.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Starts a file of bench/ that serves HTTP and prints its port. Passes a value to the new process. */
export const startPeer = async (file: string, value: unknown): Promise<Pick<Program, 'address' | 'stop'>> => {
  const child = spawn(process.execPath, [compiled(`bench/${file}`)], {
    cwd: PROJECT,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.send({ value });
  return { address: await addressOf(child), stop: () => ended(child, 'SIGTERM') };
};

/** Sends a signal to a process and waits until it has ended. */
export const ended = (child: ChildProcess, signal: NodeJS.Signals): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    child.once('exit', () => {
      resolve();
    });
    child.kill(signal);
  });

/** Returns the address that a program prints when it listens. */
export const addressOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => {
      reject(new Error(`No address within ${START_TIMEOUT_MS / 1000} s:\n${printed}`));
    }, START_TIMEOUT_MS);
    const read = (chunk: Buffer): void => {
      printed = (printed + chunk.toString()).slice(-10_000);
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The program ended with ${String(code)}:\n${printed}`));
    });
  });
