/** Simulates many tabs that follow the changes of an organization, in a separate process (event-streams.ts). */
import { request, type ClientRequest } from 'node:http';

/** Number of connections opened concurrently. */
const AT_ONCE = 50;
/** Number of streams per key. */
const PER_KEY = 50;

interface Open {
  url: string;
  keys: readonly string[];
  count: number;
}

const open: ClientRequest[] = [];
/** when each stream last received data, by the wall clock, which is the same in all processes */
const received: number[] = [];
let wanted = '';
let bytes = 0;

const connect = ({ url, keys }: Open, index: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const authorization = keys[Math.floor(index / PER_KEY)] ?? '';
    // Ten keys share a client address.
    const localAddress = `127.0.1.${1 + Math.floor(index / (10 * PER_KEY))}`;
    const headers = { accept: 'text/event-stream', authorization };
    const asked = request(url, { agent: false, localAddress, headers }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`A stream got status ${String(reply.statusCode)}.`));
      let tail = '';
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        const text = tail + chunk.toString();
        tail = text.slice(-200);
        if (text.includes('event: ready')) resolve();
        if (wanted !== '' && text.includes(wanted)) received[index] = Date.now();
      });
    });
    asked.on('error', reject);
    asked.end();
    open.push(asked);
  });

const connectAll = async (opening: Open): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < opening.count) await connect(opening, next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
};

process.on('message', (message: { open?: Open; want?: string; since?: number; bytes?: boolean }) => {
  const { since } = message;
  if (message.open) void connectAll(message.open).then(() => process.send?.({ open: open.length }));
  else if (message.want !== undefined) {
    wanted = message.want;
    process.send?.({});
  } else if (message.bytes) {
    process.send?.({ bytes });
    bytes = 0;
  } else if (since !== undefined) {
    const times = open.map((_, index) => received[index] ?? 0).filter((at) => at >= since);
    process.send?.({ heard: times.length, last: Math.max(0, ...times) });
  }
});
process.once('disconnect', () => process.exit());
