/**
 * A process that runs many test files, one after another, each with uvu's own suites. It receives the file to run by
 * IPC, and responds with the result. A file that leaves something behind fails (traces.ts).
 */
import { format } from 'node:util';
import { pathToFileURL } from 'node:url';
// Must be loaded first, because it listens for the exit of its process.
import '../../stores/sqlite/driver.ts';
import { leftSince, tracesNow } from './traces.ts';

export interface FileEnded {
  ended: string;
  output: string;
  /** what was left behind; anything is a failure */
  left: string[];
  /** CPU milliseconds of this process */
  cpu: number;
}

declare global {
  // uvu's own: the queued suites, and whether somebody else runs them.
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

/** Output between files is shown directly. */
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
