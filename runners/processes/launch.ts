import { ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Heap limit, mebibytes: enough for the responses that probes buffer. V8 ends a process that exceeds it. */
const HEAP_MB = 160;

/**
 * A small young generation and a single garbage collection thread: saves a sixth of the memory at the same CPU time.
 */
const FRUGAL = ['--max-semi-space-size=2', '--v8-pool-size=1'];

/**
 * Starts a probe process from the compiled module `./x.js` beside the module `base`. Its stderr can be read; its last
 * pipe closes when this process ends.
 *
 * @param name file name without its extension: `./probe-process`
 * @param base `import.meta.url` of the caller
 * @param secret names of environment variables to withhold from it, since it parses hostile responses
 */
export const launch = (name: string, base: string, secret: readonly string[] = []): ChildProcess => {
  const environment = Object.entries(process.env).filter(([variable]) => !secret.includes(variable));
  return orFailed(() =>
    fork(fileURLToPath(new URL(`${name}.js`, base)), {
      execArgv: [...FRUGAL, `--max-old-space-size=${HEAP_MB}`],
      // At most half of these threads perform name lookups (cli/uptrail.cts).
      env: { UV_THREADPOOL_SIZE: '64', ...Object.fromEntries(environment) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    }),
  );
};

/**
 * When the system can't create another process, Node.js emits an error for some reasons (`EAGAIN`, `EMFILE`) and throws
 * for others (`ENOMEM`).
 *
 * @returns a process, or one that never existed and emits the error
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
