import { Worker } from 'node:worker_threads';
import { PARENT_FD } from './messages.ts';

/**
 * Makes this process end as soon as its parent has ended, even if a probe blocks the main thread. A separate thread
 * waits for the end of a pipe, which uses no CPU time.
 */
export const exitWithParent = (): void => {
  const program = `
    const { Socket } = require('node:net');
    const pipe = new Socket({ fd: ${PARENT_FD} });
    pipe.on('error', () => undefined);
    pipe.on('close', () => process.kill(process.pid, 'SIGKILL'));
    pipe.resume();
  `;
  const resourceLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };
  new Worker(program, { eval: true, name: 'lifeline', resourceLimits }).unref();
};
