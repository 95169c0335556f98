import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { within } from '../../waiting.ts';
import { codeOf, OPERATIONS } from './documentation.ts';

export type Operation = (typeof OPERATIONS)[number];

/** All operations with sample code. */
export const withCode = OPERATIONS.filter(({ shown }) => shown.samples.length > 0);

/** Runs a program with this input. @returns its output */
export const output = async (program: string, args: string[], input: string, environment = {}): Promise<string> => {
  const child = spawn(program, args, { env: { ...process.env, ...environment }, stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stdin.end(input);
  const [code] = (await within(120_000, once(child, 'close'), program)) as [number];
  assert.is(code, 0, `${program} ended with ${code}: ${text}`);
  return text;
};

/** Returns the sample code of operations in a language. */
export const codes = (language: string, operations: readonly Operation[] = withCode): string[] =>
  operations.map(({ shown }) => codeOf(shown, language) ?? '');

/**
 * Returns a shell script that runs curl commands in sequence and prints the status of each response.
 *
 * @param folder folder for the response bodies, in files numbered from 1; null discards the bodies
 */
export const script = (commands: readonly string[], folder: string | null): string => `
set -u
turn=0
curl() { turn=$((turn + 1)); command curl -sS --noproxy '*' -o ${folder === null ? '/dev/null' : `'${folder}'/$turn`} -w '%{http_code}\\n' "$@"; }
${commands.join('\n')}
`;
