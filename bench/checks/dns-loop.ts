/**
 * Queries a name server as fast as possible. Runs in a separate process, so that the process's CPU time is that of the
 * queries.
 */
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { decode, encode } from 'dns-packet';
import { createTargetPolicy } from '../../domain/target/policy.ts';
import { systemClock } from '../../network/clock.ts';
import { systemResolve } from '../../network/resolve.ts';
import { queryServers } from '../../network/dns/query-servers.ts';
import { serversOfCheck } from '../../network/dns/servers.ts';
import type { ProbeLoopTimes } from './probe-loop.ts';

export interface DnsLoopTask {
  /** Uptrail's own client, or a bare socket with dns-packet for each query */
  loop: 'uptrail' | 'dns-packet';
  port: number;
  questions: number;
  concurrency: number;
}

const NAME = 'www.example.test';
const context = {
  clock: systemClock,
  resolve: systemResolve,
  policy: createTargetPolicy({ policy: 'internal' }),
};

const own = async (port: number): Promise<void> => {
  // As in the service, each run has its own signal.
  const run = { ...context, signal: new AbortController().signal };
  const servers = serversOfCheck([`127.0.0.1:${port}`]);
  const { answered } = await queryServers({ name: NAME, type: 'A' }, servers, { timeLimit: 10_000 }, run);
  if (!answered) throw new Error('The server did not answer.');
};

const bare = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    const id = randomInt(0x1_0000);
    socket.once('error', reject);
    socket.once('message', (bytes) => {
      socket.close();
      if (decode(bytes).id === id) resolve();
      else reject(new Error('The answer has another id.'));
    });
    socket.send(encode({ id, type: 'query', questions: [{ type: 'A', name: NAME }] }), port, '127.0.0.1');
  });

process.on('message', ({ loop, port, questions, concurrency }: DnsLoopTask) => {
  void (async () => {
    const before = process.cpuUsage();
    const started = performance.now();
    let begun = 0;
    const lane = async (): Promise<void> => {
      while (begun++ < questions) await (loop === 'uptrail' ? own(port) : bare(port));
    };
    await Promise.all(Array.from({ length: concurrency }, lane));
    const wall = performance.now() - started;
    const { user, system } = process.cpuUsage(before);
    process.send?.({ wall, cpu: (user + system) / 1_000 } satisfies ProbeLoopTimes);
  })();
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
