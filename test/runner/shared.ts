/**
 * The main module of a process that runs many test files, one after another. It receives the path of each file by IPC,
 * and responds with the result. A file fails if it leaves handles, listeners or other changes behind (traces.ts).
 */
import { format } from 'node:util';
import { pathToFileURL } from 'node:url';
// Must be loaded before any test file, because this module adds a listener for the exit of the process.
import '../../stores/sqlite/driver.ts';
import { leftSince, tracesNow } from './traces.ts';

export interface FileEnded {
  ended: string;
  output: string;
  /** a sentence for each thing that the file left behind; the file fails if there are any */
  left: string[];
  /** CPU time that the file took, in milliseconds */
  cpu: number;
}

declare global {
  // Global variables of uvu: `UVU_QUEUE` contains the queued suites, and `UVU_DEFER` says that the caller runs them
  // instead of uvu.
  var UVU_QUEUE: unknown[][];
  var UVU_DEFER: number;
}
globalThis.UVU_DEFER = 1;
globalThis.UVU_QUEUE = [];

const { exec } = await import('./uvu.ts');

let output = '';
const collect = (stream: NodeJS.WriteStream): void => {
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    output += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const written = rest.find((one): one is (error?: Error | null) => void => typeof one === 'function');
    if (written) process.nextTick(written);
    return true;
  };
};

/**
 * Writes to standard error directly. At the exit of the process, this function writes the output that belongs to no
 * file's result, such as the message of a crash.
 */
const original = process.stderr.write.bind(process.stderr);
process.on('exit', () => {
  if (output !== '') original(output);
});
collect(process.stdout);
collect(process.stderr);

const run = async (file: string): Promise<FileEnded> => {
  output = '';
  const began = process.cpuUsage();
  const before = tracesNow();
  globalThis.UVU_QUEUE.splice(0, Infinity, [null]);
  try {
    await import(pathToFileURL(file).href);
    await exec();
  } catch (error) {
    output += `\n${format(error)}\n\n  Total:     1\n  Passed:    0\n`;
  }
  process.exitCode = 0;
  const left = await leftSince(before);
  const { user, system } = process.cpuUsage(began);
  const ended = { ended: file, output, left, cpu: (user + system) / 1_000 };
  output = '';
  return ended;
};

process.on('message', ({ file }: { file: string }) => {
  void run(file).then((ended) => process.send?.(ended));
});
