/**
 * Measures the effect of many clients on other clients: how long a new connection waits while others write, and how
 * much memory unread responses take.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { callApi, fillPages } from './http.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { percentile, type Row } from '../tools/table.ts';
import { usageOf } from '../tools/usage.ts';

const WRITERS = sizeOf('CONNECTIONS_WRITERS', 500);
const SECONDS = sizeOf('CONNECTIONS_SECONDS', 12);
const EVERY_MS = 200;
const PIPELINED = 50;
/** Length of the text of an incident. A list of 20 such incidents has about 420 kB. */
const LONG_BODY = 20_000;
/**
 * `UNREAD_SECONDS`: how long the process is observed while clients leave responses unread. `LEFT_SECONDS`: how long the
 * process is observed after these clients have disconnected.
 */
const UNREAD_SECONDS = 10;
const LEFT_SECONDS = 5;
const MIB = 1_048_576;

/**
 * Returns the time from connecting until the first bytes of a response to a GET, in milliseconds; Infinity if there was
 * no response.
 */
const firstResponse = async ({ address, key }: Program, path: string): Promise<number> => {
  const { hostname, port } = new URL(address);
  const started = performance.now();
  const socket = connect(Number(port), hostname);
  try {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${key}\r\n\r\n`);
    const [head] = (await once(socket, 'data')) as [Buffer];
    return head.toString('latin1').startsWith('HTTP/1.1 200') ? performance.now() - started : Infinity;
  } catch {
    return Infinity;
  } finally {
    socket.destroy();
  }
};

const underWriters = async (): Promise<Row[]> => {
  const program = await startProgram({ LOG_LEVEL: 'warn', MAX_CONNECTIONS_PER_ADDRESS: '2000' });
  try {
    const { list, asked } = await fillPages(program);
    const writing = autocannon({
      url: `${program.address}${asked.path}`,
      connections: WRITERS,
      duration: SECONDS,
      timeout: 60,
      method: 'POST',
      headers: { authorization: program.key, 'content-type': 'application/json' },
      body: JSON.stringify(asked.body),
    });
    const end = performance.now() + (SECONDS - 1) * 1_000;
    const samples: Promise<[number, number]>[] = [];
    while (performance.now() < end) {
      samples.push(Promise.all([firstResponse(program, '/health/live'), firstResponse(program, list)]));
      await sleep(EVERY_MS);
    }
    const { latency, non2xx, errors, duration, ...result } = await writing;
    const taken = await Promise.all(samples);
    const shown = (values: number[]): string =>
      `median ${percentile(values, 0.5).toFixed(0)} ms, longest ${Math.max(...values).toFixed(0)} ms`;
    const writers = `${WRITERS} writers`;
    return [
      {
        what: `new connection under ${writers}, /health/live`,
        figure: shown(taken.map(([live]) => live)),
        aim: 'longest ≤ 1 s',
      },
      {
        what: `new connection under ${writers}, GET of a list`,
        figure: shown(taken.map(([, first]) => first)),
        aim: 'longest ≤ 3 s',
      },
      {
        what: `POST of an incident, ${writers}`,
        figure: `${(result['2xx'] / duration).toFixed(0)}/s, p99 ${latency.p99.toFixed(0)} ms, ${non2xx} refused, ${errors} failed`,
        aim: 'p99 ≤ 3 s, none refused',
      },
    ];
  } finally {
    await program.stop();
  }
};

/** Returns the peak memory of a process during a period, in bytes. */
const peakOf = async (pid: number, seconds: number): Promise<number> => {
  let peak = 0;
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    await sleep(100);
    peak = Math.max(peak, usageOf(pid).memory);
  }
  return peak;
};

const unreadPipelines = async (clients: number): Promise<Row> => {
  const program = await startProgram({ LOG_LEVEL: 'warn' });
  const sockets: Socket[] = [];
  try {
    const { hostname, port } = new URL(program.address);
    const { asked } = await fillPages(program);
    const body = { ...asked.body, body: 'x'.repeat(LONG_BODY) };
    for (let incident = 0; incident < 20; incident++) await callApi(program, { ...asked, body });
    await callApi(program, { path: asked.path });
    const request = `GET ${asked.path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${program.key}\r\n\r\n`;
    const before = usageOf(program.pid).memory;
    for (let client = 0; client < clients; client++) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.pause();
      socket.write(request.repeat(PIPELINED));
      sockets.push(socket);
    }
    const peak = await peakOf(program.pid, UNREAD_SECONDS);
    for (const socket of sockets) socket.destroy();
    await sleep(LEFT_SECONDS * 1_000);
    const shown = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`;
    return {
      what: `memory of unread pipelines, ${clients} connections × ${PIPELINED}`,
      figure: `${shown(peak)}, after they left ${shown(usageOf(program.pid).memory)}`,
      peer: `before ${shown(before)}`,
      ratio: peak / before,
      aim: '≤ 1.5',
    };
  } finally {
    for (const socket of sockets) socket.destroy();
    await program.stop();
  }
};

export const bench = async (): Promise<Row[]> => [
  ...(await underWriters()),
  await unreadPipelines(20),
  await unreadPipelines(100),
];
