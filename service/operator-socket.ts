import { chmodSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataDirectory } from './embedded/data-directory.ts';
import { OperatorError } from './operator-error.ts';

/** What commands may ask a running service, by path, with the parameters of the query; answers are JSON. */
export type Questions = Readonly<Record<string, (parameters: URLSearchParams) => Promise<unknown>>>;

/** Longest path of a socket that every system takes, in bytes; a longer one may be cut off silently. */
const LONGEST_PATH = 103;

/**
 * Answers commands on the same machine about what is only in the service's memory. The socket is in the data
 * directory, which only its owner may read: whoever can read the logs may ask.
 *
 * @returns stops answering
 * @throws Error the socket can't be made, for example since its path is longer than a system allows
 */
export const answerOperators = async (
  { socket }: Pick<DataDirectory, 'socket'>,
  questions: Questions,
): Promise<() => Promise<void>> => {
  if (Buffer.byteLength(socket) > LONGEST_PATH) throw new Error(`The path ${socket} is too long for a socket.`);
  const server = createServer((asked, answer) => {
    const [path = '', query = ''] = (asked.url ?? '').split('?');
    const question = Object.hasOwn(questions, path) ? questions[path] : undefined;
    if (!question) {
      answer.writeHead(404).end();
      return;
    }
    question(new URLSearchParams(query)).then(
      (said) => answer.end(JSON.stringify(said)),
      (error: unknown) => answer.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  // A killed service left it behind; the lock shows that there is no other service.
  rmSync(socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  chmodSync(socket, 0o600);
  return () =>
    new Promise((resolve) => {
      server.close(() => {
        resolve();
      });
      server.closeAllConnections();
    });
};

/** Asks a service to apply to API keys what the log `main` holds up to a `position`. */
export const TAKE_EFFECT = '/take-effect';

/** Notifies a service that a command has appended to a log. */
export const GROWN = '/grown';
/** How long a notification may take, milliseconds: the service would notice by itself a little later. */
const HEARING_MS = 500;

/** Notifies a service that a command has asked reactors for something. */
export const REACTORS_ASKED = '/reactors-asked';

/** Notifies the service that runs on a data directory, if any, of what a command has done. */
export const tellService = async (directory: DataDirectory, what: string): Promise<void> => {
  const heard = askService(directory, what).catch(() => undefined);
  await Promise.race([heard, sleep(HEARING_MS, undefined, { ref: false })]);
};

/**
 * Asks the service that runs on a data directory.
 *
 * @throws OperatorError none runs there, or it could not answer
 */
export const askService = async ({ socket, path: place }: DataDirectory, path: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const asked = request({ socketPath: socket, path, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (answer.statusCode === 200) resolve(JSON.parse(text));
        else reject(new OperatorError(text === '' ? 'The service that runs does not know this question.' : text));
      });
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      const absent = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
      reject(absent ? new OperatorError(`No service runs on ${place}: what it does is known to itself alone.`) : error);
    });
    asked.end();
  });
