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

/** Programs that tours call and this machine lacks; prints a skip line for each. */
export const missingTools = (): string[] => {
  const missing = ['bash', 'curl', 'jq'].filter((tool) => !isInstalled(tool));
  for (const tool of missing) console.log(`skipped: ${tool} is not installed`);
  return missing;
};

/** The commands of a document's tour: its `sh` blocks between `<!-- tour -->` and `<!-- /tour -->`. */
export const tourCommandsOf = (path: string): string => {
  const tour = /<!-- tour -->(.*)<!-- \/tour -->/s.exec(readFileSync(inProject(path), 'utf8'))?.[1] ?? '';
  return [...tour.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block).join('\n');
};

/** Commands that run longer are killed; the error contains their output so far. */
const TIMEOUT_MS = 90_000;

/**
 * Runs commands in the folder of a running service, as a reader of the document would. Processes that they start in the
 * background end with them.
 *
 * @returns their output
 * @throws Error one of them failed
 */
export const runCommands = async (commands: string, folder: string): Promise<string> => {
  const place = await storageEnvironment({ DATA_DIR: `${folder}/data` });
  return new Promise((done, failed) => {
    const bin = `${folder}/bin`;
    mkdirSync(bin, { recursive: true });
    // `npx uptrail …` runs the program under test.
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
        // They have ended already.
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
