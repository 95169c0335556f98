import { ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Maximum size of the heap in mebibytes. V8 ends a process that exceeds it. The limit suffices for the responses that
 * probes buffer.
 */
const HEAP_MB = 160;

/**
 * Options of Node.js for a small young generation and a single thread for garbage collection. With these options, a
 * process needs a sixth less memory at the same CPU time.
 */
const FRUGAL = ['--max-semi-space-size=2', '--v8-pool-size=1'];

/**
 * Starts a probe process from the compiled module `./x.js` beside the module `base`. Its stderr can be read. Its pipe
 * `PARENT_FD` (messages.ts) is closed when this process ends.
 *
 * @param name file name without its extension: `./probe-process`
 * @param base `import.meta.url` of the caller
 * @param secret names of environment variables that the process does not get, because it parses hostile responses
 */
export const launch = (name: string, base: string, secret: readonly string[] = []): ChildProcess => {
  const environment = Object.entries(process.env).filter(([variable]) => !secret.includes(variable));
  return orFailed(() =>
    fork(fileURLToPath(new URL(`${name}.js`, base)), {
      execArgv: [...FRUGAL, `--max-old-space-size=${HEAP_MB}`],
      // At most half of the threads perform name lookups (cli/uptrail.cts).
      env: { UV_THREADPOOL_SIZE: '64', ...Object.fromEntries(environment) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    }),
  );
};

/**
 * Starts a process. If the system cannot create one, Node.js emits an error for some reasons (`EAGAIN`, `EMFILE`) and
 * throws an error for others (`ENOMEM`). Here, the error is always emitted.
 *
 * @returns a process; if it could not be created, an object that emits the error
 */
const orFailed = (start: () => ChildProcess): ChildProcess => {
  try {
    return start();
  } catch (error) {
    const never = new ChildProcess();
    process.nextTick(() => never.emit('error', error));
    return never;
  }
};
