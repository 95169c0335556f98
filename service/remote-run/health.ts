import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SocketAddress } from '../../domain/target/policy.ts';
import type { HealthPart } from '../../http/health.ts';
import type { RemoteRunnerState } from '../../runners/remote/remote-runner.ts';
import { OperatorError } from '../operator-error.ts';

/** Time limit for receiving a request, in milliseconds. */
const REQUEST_MS = 5_000;
const MAX_CONNECTIONS = 50;

/**
 * Returns the state of the connection to the service. The part is ready while checks run, even without a connection.
 */
export const connectionPart = ({
  isConnected,
  isOffline,
  unsent,
  spooledBytes,
}: Pick<RemoteRunnerState, 'isConnected' | 'isOffline' | 'unsent' | 'spooledBytes'>): HealthPart => ({
  name: 'service',
  ready: isConnected || isOffline,
  state: isConnected ? 'connected' : isOffline ? 'offline' : 'disconnected',
  lag_seconds: null,
  message: isConnected
    ? null
    : `The service is unreachable. Unreported results: ${unsent} in memory, and ${spooledBytes} bytes on disk.`,
});

export interface HealthServer {
  endpoint: SocketAddress;
  close: () => Promise<void>;
}

/**
 * Serves only `/health/live` and `/health/ready`, as every process of Uptrail does (docs/operate/watch.md).
 *
 * @throws OperatorError the server can't listen on the port
 */
export const serveHealth = async (
  { host, port }: { host: string; port: number },
  parts: () => readonly HealthPart[],
): Promise<HealthServer> => {
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    const [path] = (request.url ?? '').split('?');
    const found = path === '/health/live' || path === '/health/ready';
    const all = path === '/health/ready' ? parts() : [];
    const ready = all.every((part) => part.ready);
    response.writeHead(found ? (ready ? 200 : 503) : 404, { 'Content-Type': 'application/json', Connection: 'close' });
    response.end(
      JSON.stringify(
        path === '/health/ready'
          ? { status: ready ? 'ready' : 'not ready', parts: all }
          : found
            ? { status: 'live' }
            : { message: 'A runner serves only /health/live and /health/ready.' },
      ),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  await listening(server, host, port);
  const { address, port: bound } = server.address() as AddressInfo;
  return {
    endpoint: { address, port: bound },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
};

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        new OperatorError(`Cannot listen on port ${port} of ${host} (PORT, HOST): ${error.code ?? error.message}.`),
      );
    });
    server.listen(port, host, resolve);
  });
