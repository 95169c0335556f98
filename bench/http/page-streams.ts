/** Simulates many browsers that follow a status page, in a separate process (pages.ts). */
import { request, type ClientRequest } from 'node:http';
import { text } from 'node:stream/consumers';

/** Number of streams per loopback address: the visitors of a page have many addresses. */
const PER_ADDRESS = 100;
/** Number of connections opened concurrently. */
const AT_ONCE = 100;

interface Open {
  url: string;
  count: number;
}

const open: ClientRequest[] = [];
/** when each stream last received a change, by the wall clock, which is the same in all processes */
const changed: number[] = [];

const connect = (url: string, index: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const localAddress = `127.0.1.${1 + Math.floor(index / PER_ADDRESS)}`;
    const asked = request(url, { agent: false, localAddress, headers: { accept: 'text/event-stream' } }, (reply) => {
      if (reply.statusCode !== 200) {
        void text(reply).then((body) => {
          reject(new Error(`Stream ${index} got status ${String(reply.statusCode)}: ${body}`));
        }, reject);
        return;
      }
      reply.on('data', (chunk: Buffer) => {
        if (chunk.includes('event: changed')) changed[index] = Date.now();
        resolve();
      });
    });
    asked.on('error', reject);
    asked.end();
    open.push(asked);
  });

const connectAll = async ({ url, count }: Open): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await connect(url, next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
};

process.on('message', (message: { open?: Open; since?: number }) => {
  const { since } = message;
  if (message.open) void connectAll(message.open).then(() => process.send?.({ open: open.length }));
  else if (since !== undefined) {
    const times = open.map((_, index) => changed[index] ?? 0).filter((at) => at >= since);
    process.send?.({ heard: times.length, last: Math.max(0, ...times) });
  }
});
process.once('disconnect', () => process.exit());
