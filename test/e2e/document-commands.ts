import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inProject } from '../project.ts';
import { storageEnvironment, PROGRAM } from './program.ts';

const isInstalled = (tool: string): boolean => {
  try {
    execFileSync('bash', ['-c', `command -v ${tool}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Returns the programs that tours need and this machine lacks. Prints a skip line for each. */
export const missingTools = (): string[] => {
  const missing = ['bash', 'curl', 'jq'].filter((tool) => !isInstalled(tool));
  for (const tool of missing) console.log(`skipped: ${tool} is not installed`);
  return missing;
};

/** Returns the commands of a document's tour: the `sh` blocks between `<!-- tour -->` and `<!-- /tour -->`. */
export const tourCommandsOf = (path: string): string => {
  const tour = /<!-- tour -->(.*)<!-- \/tour -->/s.exec(readFileSync(inProject(path), 'utf8'))?.[1] ?? '';
  return [...tour.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
};

/** Commands are killed after this time. The error contains their output up to then. */
const TIMEOUT_MS = 90_000;

/**
 * Runs commands in the folder of a running service, as a reader of the document would. Afterwards kills the background
 * processes that the commands started.
 *
 * @returns the output of the commands
 * @throws Error if a command fails
 */
export const runCommands = async (commands: string, folder: string): Promise<string> => {
  const place = await storageEnvironment({ DATA_DIR: `${folder}/data` });
  return new Promise((done, failed) => {
    const bin = `${folder}/bin`;
    mkdirSync(bin, { recursive: true });
    // In documents `npx uptrail …` runs the program. Here this script runs the program under test.
    const [program = '', ...parameters] = PROGRAM;
    const shim = `#!/bin/sh\nshift\nDATA_DIR="${folder}/data" exec "${process.execPath}" ${[resolve(program), ...parameters].join(' ')} "$@"\n`;
    writeFileSync(`${bin}/npx`, shim);
    chmodSync(`${bin}/npx`, 0o755);
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: folder,
      detached: true,
      env: { ...process.env, ...place, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    /** Ends the shell and all its background processes. */
    const endAll = (): void => {
      try {
        process.kill(-(shell.pid ?? 0), 'SIGKILL');
      } catch {
        // All these processes have already ended.
      }
    };
    let output = '';
    shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    shell.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const deadline = setTimeout(endAll, TIMEOUT_MS);
    shell.on('exit', endAll);
    shell.on('close', (code) => {
      clearTimeout(deadline);
      if (code === 0) done(output);
      else failed(new Error(`The commands ended with ${String(code)}:\n${output}`));
    });
  });
};
