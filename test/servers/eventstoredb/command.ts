import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { freePort } from '../ports.ts';
import type { ServerProcess } from './process.ts';
import { eventually, within } from '../../waiting.ts';

/** The longest time that a server may take until it accepts an append, in milliseconds. */
const PATIENCE = 180_000;
const LOOK_PAUSE = 100;

/**
 * Starts an EventStoreDB without TLS on 127.0.0.1 by a program, which is called with a folder and a port. The program
 * either replaces itself by the server or starts the server as a child. When this process ends or is killed, the
 * process group of the program is killed too.
 *
 * @throws Error if the program ends, or the server accepts no append
 */
export const startByCommand = async (command: string, folder: string): Promise<ServerProcess> => {
  const port = await freePort();
  let signal: (signal: NodeJS.Signals) => void = () => undefined;
  let end: ServerProcess['end'] = async () => undefined;

  const start = async (): Promise<void> => {
    const child = spawn(command, [folder, port.toString()], { detached: true, stdio: ['ignore', 'ignore', 'inherit'] });
    const failed = once(child, 'error').then(([error]) => Promise.reject(error as Error));
    const group = -(child.pid ?? (await failed));
    // The guard kills the group when the standard input of the guard closes, which happens when this process ends.
    const guard = spawn('sh', ['-c', `read -r over; kill -KILL -- ${group}`], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    signal = (name) => void signalled(group, name);
    end = async (name) => {
      signal(name);
      await eventually(() => !signalled(group, 0));
      guard.kill('SIGKILL');
    };
    const over = once(child, 'exit').then(([code]) => {
      throw new Error(`${command} ended with ${String(code)} before it was asked to.`);
    });
    over.catch(() => undefined);
    const looking = new AbortController();
    await Promise.race([untilReady(port, looking.signal), over]).catch(async (error: unknown) => {
      looking.abort();
      await end('SIGKILL');
      throw error;
    });
  };

  await start();
  return {
    port,
    end: (name) => end(name),
    again: start,
    freeze: () => {
      signal('SIGSTOP');
    },
    thaw: () => {
      signal('SIGCONT');
    },
  };
};

/** Sends a signal to a process group. @returns whether the group still had a process */
const signalled = (group: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(group, signal);
  } catch {
    return false;
  }
};

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectSocket(port, '127.0.0.1');
    const settle = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', settle(true)).once('error', settle(false));
  });

/** A stream that belongs to no service. Names of our streams begin with a category in lower case. */
const READY = 'Ready-1';

const takesAppend = async (port: number): Promise<boolean> => {
  const client = EventStoreDBClient.connectionString(`esdb://127.0.0.1:${port}?tls=false`);
  try {
    await client.appendToStream(READY, jsonEvent({ type: 'Ready', data: {} }), { deadline: 2_000 });
    return true;
  } catch {
    return false;
  } finally {
    // Disposing of the client may never end, so the wait is limited.
    await within(LOOK_PAUSE, client.dispose(), 'the client is gone').catch(() => undefined);
  }
};

const untilReady = async (port: number, signal: AbortSignal): Promise<void> => {
  const what = `the server at port ${port} accepts an append`;
  await eventually(
    async () => {
      if (signal.aborted) throw new Error(`No server at port ${port} accepts an append.`);
      return (await listens(port)) && (await takesAppend(port));
    },
    { within: PATIENCE, what },
  );
};
