/** Measures heartbeat pings over HTTP to the real program: how many are stored per second, and the response time. */
import { Agent, request } from 'node:http';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { percentile, perSecond, type Row } from '../tools/table.ts';
import { usageOf } from '../tools/usage.ts';

const HEARTBEATS = sizeOf('HEARTBEATS', 500);
const PINGS = sizeOf('PINGS', 10_000);
const AT_ONCE = 64;

const create = async ({ address, key }: Program, name: string): Promise<string> => {
  const reply = await fetch(`${address}/v1/heartbeats`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify({ name, period_seconds: 3_600 }),
  });
  if (reply.status > 202) throw new Error(`POST /v1/heartbeats responded ${reply.status}.`);
  return ((await reply.json()) as { id: string }).id;
};

const ping = (agent: Agent, url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { agent }, (reply) => {
      reply.resume().once('end', () => {
        if (reply.statusCode === 200) resolve();
        else reject(new Error(`A ping got status ${reply.statusCode ?? 0}.`));
      });
    });
    asked.once('error', reject).end();
  });

export const bench = async (): Promise<Row[]> => {
  const program = await startProgram({ PINGS_PER_MINUTE: '0' });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  try {
    const urls: string[] = [];
    for (let index = 0; index < HEARTBEATS; index++) {
      urls.push(`${program.address}/v1/heartbeats/${await create(program, `job ${index}`)}/ping`);
    }
    const times: number[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < PINGS) {
        const url = urls[next++ % urls.length] ?? '';
        const began = performance.now();
        await ping(agent, url);
        times.push(performance.now() - began);
      }
    };
    const before = usageOf(program.pid).cpu;
    const began = performance.now();
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    const took = performance.now() - began;
    const cpu = usageOf(program.pid).cpu - before;
    return [
      {
        what: `pings of ${HEARTBEATS.toLocaleString('en')} heartbeats, 64 concurrent`,
        figure: perSecond(PINGS, took),
        aim: '> 1,000/s',
      },
      { what: 'CPU time of a ping, in all threads', figure: `${((cpu * 1_000) / PINGS).toFixed(2)} ms`, aim: '< 1 ms' },
      { what: 'a ping until it is stored and responded to, p99', figure: `${percentile(times, 0.99).toFixed(0)} ms` },
    ];
  } finally {
    agent.destroy();
    await program.stop();
  }
};
