import { fork } from 'node:child_process';
import { once } from 'node:events';
import { compiled } from '../../test/project.ts';

/** A file of bench/ that runs in a separate process, and sends one message in response to each message. */
export interface Child {
  ask: (message: object) => Promise<unknown>;
  stop: () => Promise<void>;
}

/**
 * Starts a file of bench/ in a separate process.
 *
 * @param name path of the file, such as `checks/dns-loop`
 * @param greets whether the process sends a message when it is ready to receive messages
 */
export const startChild = async (name: string, { greets = false } = {}): Promise<Child> => {
  const child = fork(compiled(`bench/${name}.ts`), {
    execArgv: process.env['BENCH_PROFILE'] === name ? ['--cpu-prof'] : [],
    env: { ...process.env, NODE_ENV: 'production', UV_THREADPOOL_SIZE: '64' },
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${String(code)}.`);
  });
  failed.catch(() => undefined);
  const nextMessage = async (): Promise<unknown> => {
    const [message] = (await Promise.race([once(child, 'message'), failed])) as [unknown];
    return message;
  };
  if (greets) await nextMessage();
  return {
    ask: async (message) => {
      const responded = nextMessage();
      child.send(message);
      return responded;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
};
