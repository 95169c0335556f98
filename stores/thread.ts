import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a worker thread from the compiled module `./x.js` beside the module `base`.
 *
 * @param name file name without its extension: `./log-thread`
 * @param base `import.meta.url` of the caller
 */
export const startThread = (name: string, base: string, options?: WorkerOptions): Worker =>
  new Worker(new URL(`${name}.js`, base), options);
