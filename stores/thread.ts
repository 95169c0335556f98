import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a worker thread from `./x.ts` beside the module `base`, or from `./x.js` if that module has
 * been compiled.
 *
 * Run from TypeScript, a thread of Node 20 does not inherit the loader of its parent: there the thread
 * registers it first.
 *
 * @param name file name without its extension: `./log-thread`
 * @param base `import.meta.url` of the caller
 */
export const startThread = (name: string, base: string, options?: WorkerOptions): Worker => {
  if (!base.endsWith('.ts')) return new Worker(new URL(`${name}.js`, base), options);
  const entry = JSON.stringify(new URL(`${name}.ts`, base));
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const program = `import { register } from ${loader}; register(); await import(${entry});`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`), options);
};
