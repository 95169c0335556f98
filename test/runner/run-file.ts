import { fork, spawn, type ChildProcess } from 'node:child_process';
import { compiled, PROJECT } from '../project.ts';
import type { TestFile } from './files.ts';
import type { FileEnded } from './shared.ts';

export interface FileResult {
  file: string;
  passed: number;
  failed: number;
  skipped: number;
  seconds: number;
  output: string;
}

/** Returns the time limit of a file in milliseconds. Files that start programs have more time than others. */
const patienceOf = (file: string): number => {
  if (file.endsWith('e2e/power-cuts.test.ts')) return 3_600_000;
  return /\b(e2e|drills|probes\/script)\//.test(file) ? 900_000 : 300_000;
};

/** Sums up one figure, such as `Passed`, over all summaries that uvu has printed for a file. */
const figure = (output: string, name: string): number =>
  [...output.matchAll(new RegExp(`^\\s*${name}:\\s+(\\d+)`, 'gm'))].reduce(
    (sum, [, digits]) => sum + Number(digits),
    0,
  );

/** @param trouble why the file failed as a whole, for example because it exceeded its time limit; null if it did not */
const resultOf = (file: string, output: string, began: number, trouble: string | null): FileResult => {
  const total = figure(output, 'Total');
  const passed = figure(output, 'Passed');
  // If tests are selected by title, a file without a matching test prints no summary.
  const summarised = process.env['TEST_TITLE'] !== undefined || /^\s*Total:\s+\d+/m.test(output);
  const problem = trouble ?? (summarised ? null : 'It ended without a summary.');
  return {
    file,
    passed,
    failed: total - passed + (problem !== null && total === passed ? 1 : 0),
    skipped: figure(output, 'Skipped'),
    seconds: (performance.now() - began) / 1000,
    output: problem === null ? output : `${output}\n${problem}\n`,
  };
};

const OPTIONS = ['--enable-source-maps', '--import', './test/own-coverage.cjs'];
const environment = (shared: boolean): NodeJS.ProcessEnv => ({
  ...process.env,
  FORCE_COLOR: '0',
  NODE_ENV: 'test',
  ...(shared ? { TEST_SHARED: 'yes' } : {}),
});

/** Starts to collect the output of a process. @returns a function that stops collecting and returns the output */
const collected = ({ stdout, stderr }: ChildProcess): (() => string) => {
  let output = '';
  const collect = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  stdout?.on('data', collect);
  stderr?.on('data', collect);
  return () => {
    stdout?.off('data', collect);
    stderr?.off('data', collect);
    return output;
  };
};

/**
 * Kills a process after the time limit of its file.
 *
 * @returns a function that stops the timer, and returns a message if the process was killed, otherwise null
 */
const limited = (child: ChildProcess, path: string): (() => string | null) => {
  const patience = patienceOf(path);
  let late: string | null = null;
  const timer = setTimeout(() => {
    late = `Ended after ${patience / 1000} s`;
    child.kill('SIGKILL');
  }, patience);
  return () => {
    clearTimeout(timer);
    return late;
  };
};

const endedBy = (code: number | null, signal: string | null): string => signal ?? `code ${String(code)}`;

/** Runs a file in its own process. */
export const runAlone = ({ path }: TestFile): Promise<FileResult> =>
  new Promise((resolve) => {
    const began = performance.now();
    const child = spawn(process.execPath, [...OPTIONS, compiled(path)], {
      cwd: PROJECT,
      env: environment(false),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const printed = collected(child);
    const lateness = limited(child, path);
    child.on('close', (code, signal) => {
      const late = lateness();
      const trouble = late ?? (code === 0 ? null : `It ended by ${endedBy(code, signal)}`);
      resolve(resultOf(path, printed(), began, trouble === null ? null : `${trouble}.`));
    });
  });

type Message = FileEnded | { begins: string };

/** Number of files after which a shared process is replaced. Otherwise it would grow, because modules stay loaded. */
const FILES_PER_PROCESS = 150;

/**
 * Returns a process that runs test files one after another (shared.ts). If a file ends the process, another process is
 * started for the next file.
 */
export const sharedProcess = (): { run: (file: TestFile) => Promise<FileResult>; stop: () => void } => {
  let child: ChildProcess | null = null;
  let files = 0;
  const stop = (): void => {
    child?.removeAllListeners();
    child?.kill();
    child = null;
    files = 0;
  };
  const start = (): ChildProcess => {
    if (files >= FILES_PER_PROCESS) stop();
    files++;
    child ??= fork(compiled('test/runner/shared.ts'), {
      cwd: PROJECT,
      env: environment(true),
      execArgv: OPTIONS,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    return child;
  };
  const run = ({ path }: TestFile): Promise<FileResult> =>
    new Promise((resolve) => {
      const began = performance.now();
      const runner = start();
      let running = 'while it was loaded';
      const printed = collected(runner);
      const lateness = limited(runner, path);
      const settle = (output: string, trouble: string | null): void => {
        runner.off('message', receive);
        runner.off('close', ended);
        resolve(resultOf(path, `${printed()}${output}`, began, trouble));
      };
      const receive = (message: Message): void => {
        if ('begins' in message) {
          running = `in “${message.begins}”`;
          return;
        }
        // If the process has just been killed, the handler of its `close` event reports the result.
        if (lateness() !== null) return;
        settle(message.output, message.left.length > 0 ? `It left something behind. ${message.left.join(' ')}` : null);
      };
      const ended = (code: number | null, signal: string | null): void => {
        child = null;
        files = 0;
        settle('', `${lateness() ?? `It ended the process, by ${endedBy(code, signal)}`}, ${running}.`);
      };
      runner.on('message', receive);
      runner.once('close', ended);
      runner.send({ file: compiled(path) });
    });
  return { run, stop };
};
