import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { compiled } from '../../project.ts';

/** A server process that can be killed and started again, because it stores its events in a folder. */
export interface ServerProcess {
  port: number;
  /** Sends the server a signal and waits until the server has ended. */
  end: (signal: NodeJS.Signals) => Promise<void>;
  /** Starts the server again, on the same port with the same events. */
  again: () => Promise<void>;
  /** Makes the server hang: connections stay open, but it processes nothing. */
  freeze: () => void;
  /** Resumes a frozen server. */
  thaw: () => void;
}

const MAIN = compiled('test/servers/eventstoredb/main.ts');

/**
 * Starts the double as a process of its own.
 *
 * @param options further command line options of `main.ts`, for example for a secured server
 */
export const startDoubleProcess = async (file: string, options: readonly string[] = []): Promise<ServerProcess> => {
  let child: ChildProcess | undefined;
  const start = async (port: number): Promise<number> => {
    const parameters = [MAIN, '--port', port.toString(), '--file', file, ...options];
    // The IPC channel makes the child end when this process ends.
    child = spawn(process.execPath, parameters, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    const output = (await once(child.stdout ?? child, 'data')).map(String).join('');
    const listening = /listening on 127\.0\.0\.1:(\d+)/.exec(output);
    if (!listening) throw new Error(`The double of EventStoreDB printed: ${output}`);
    return Number(listening[1]);
  };
  const port = await start(0);
  return {
    port,
    end: async (signal) => {
      if (child?.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill(signal);
      await gone;
    },
    again: async () => {
      await start(port);
    },
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
  };
};
