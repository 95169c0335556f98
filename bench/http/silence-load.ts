/**
 * Reads long responses in a separate process, so that the load slows down only the service, not the measuring process.
 * For each message that it receives, the process applies one load.
 */
import { request } from 'node:http';

/** The paths that are requested concurrently, and how often. */
export interface SilenceLoad {
  address: string;
  key: string;
  requests: readonly { path: string; body?: object }[];
}

/** Counts the bytes of a response, and discards them. */
const read = ({ address, key }: SilenceLoad, path: string, body?: object): Promise<{ status: number; bytes: number }> =>
  new Promise((resolve, reject) => {
    const text = body && JSON.stringify(body);
    const outgoing = request(`${address}${path}`, {
      method: text === undefined ? 'GET' : 'POST',
      agent: false,
      headers: { authorization: key, ...(text !== undefined && { 'content-type': 'application/json' }) },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      let bytes = 0;
      incoming.on('data', (chunk: Buffer) => (bytes += chunk.length));
      incoming.once('error', reject);
      incoming.once('end', () => {
        resolve({ status: incoming.statusCode ?? 0, bytes });
      });
    });
    outgoing.end(text);
  });

process.on('message', (load: SilenceLoad) => {
  void Promise.all(load.requests.map(({ path, body }) => read(load, path, body))).then((responses) =>
    process.send?.({ answers: responses }),
  );
});
process.send?.('ready');
