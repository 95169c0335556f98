import { chmodSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataDirectory } from './embedded/data-directory.ts';
import { OperatorError } from './operator-error.ts';

/** Handlers for requests of commands, by path. A handler gets the query parameters and returns a JSON value. */
export type CommandHandlers = Readonly<Record<string, (parameters: URLSearchParams) => Promise<unknown>>>;

/**
 * Maximum length of a socket path that every system accepts, in bytes. A longer path may be truncated without an error.
 */
const LONGEST_PATH = 103;

/**
 * Serves requests of commands that run on the same machine. These commands need data that exists only in the memory of
 * the service. The socket is in the data directory, which only its owner may read. Therefore, whoever may read the logs
 * may use the socket.
 *
 * @returns a function that stops serving
 * @throws Error the socket can't be created, for example because its path is longer than the system allows
 */
export const serveCommands = async (
  { socket }: Pick<DataDirectory, 'socket'>,
  questions: CommandHandlers,
): Promise<() => Promise<void>> => {
  if (Buffer.byteLength(socket) > LONGEST_PATH) throw new Error(`The path ${socket} is too long for a socket.`);
  const server = createServer((request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const question = Object.hasOwn(questions, path) ? questions[path] : undefined;
    if (!question) {
      response.writeHead(404).end();
      return;
    }
    question(new URLSearchParams(query)).then(
      (said) => response.end(JSON.stringify(said)),
      (error: unknown) => response.writeHead(500).end(error instanceof Error ? error.message : String(error)),
    );
  });
  // A service that was killed may have left its socket. The lock proves that no other service is running.
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

/** The running service does not know the request, so it belongs to another release. */
export class RequestNotSupported extends OperatorError {
  constructor() {
    super('The running service does not support this request. Is it another release?');
  }
}

/** Path of the request to apply changes of API keys in the log `main` up to a `position`. */
export const TAKE_EFFECT = '/take-effect';

/** Path of the request for the projection versions that the service keeps up to date, as name@version. */
export const PROJECTIONS_SERVED = '/projections';

/** Path of the notification that a command has appended to a log. */
export const LOG_GROWN = '/grown';
/**
 * Time limit of a notification, in milliseconds. If a notification is lost, the service still notices the change a
 * little later.
 */
const NOTIFICATION_MS = 500;

/** Path of the notification that a command has made a request to reactors. */
export const REACTOR_REQUESTED = '/reactors-asked';

/**
 * Notifies the service that a command has made a change. Does nothing if no service is running on the data directory.
 */
export const notifyService = async (directory: DataDirectory, what: string): Promise<void> => {
  const notified = requestFromService(directory, what).catch(() => undefined);
  await Promise.race([notified, sleep(NOTIFICATION_MS, undefined, { ref: false })]);
};

/**
 * Sends a request to the service that runs on a data directory.
 *
 * @throws OperatorError no service is running there, or it could not respond
 */
export const requestFromService = async ({ socket, path: directory }: DataDirectory, path: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const clientRequest = request({ socketPath: socket, path, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode === 200) resolve(JSON.parse(text));
        else reject(response.statusCode === 404 ? new RequestNotSupported() : new OperatorError(text));
      });
    });
    clientRequest.on('error', (error: NodeJS.ErrnoException) => {
      const absent = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
      reject(
        absent
          ? new OperatorError(
              `No service is running on ${directory}. This information exists only in a running service.`,
            )
          : error,
      );
    });
    clientRequest.end();
  });
