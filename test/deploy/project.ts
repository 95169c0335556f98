import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT } from '../project.ts';

export { PROJECT };

export const inProject = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');

export interface Ran {
  /** null if the program is not installed */
  code: number | null;
  output: string;
}

/** Runs a program in the project's folder until it ends. */
export const run = async (
  program: string,
  parameters: readonly string[],
  options: { cwd?: string; environment?: Record<string, string> } = {},
): Promise<Ran> => {
  const child = spawn(program, parameters, {
    cwd: options.cwd ?? PROJECT,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const missing = once(child, 'error').then(() => null);
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { code: await Promise.race([ended, missing]), output };
};

/** Returns whether a program is installed. If not, prints a line that counts as a skip. */
export const isInstalled = async (program: string, question = '--version'): Promise<boolean> => {
  if ((await run(program, [question])).code !== null) return true;
  console.log(`skipped: ${program} is not installed`);
  return false;
};

type Test = (sentence: string, body: () => Promise<void> | void) => void;

/** Returns `test` if a required tool is installed, else `test.skip`. */
export const testWith =
  (test: Test & { skip: Test }, installed: boolean): Test =>
  (sentence, body) => {
    if (installed) test(sentence, body);
    else test.skip(sentence, body);
  };
