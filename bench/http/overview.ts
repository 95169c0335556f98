/** Measures the time and the size of a page of the overview of many checks with results, over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { closeLogs, fillChecks, openLogs } from '../tools/many-checks.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, percentile, type Row } from '../tools/table.ts';
import { usageOf } from '../tools/usage.ts';

const SIZES = [sizeOf('OVERVIEW_FEW', 1_000), sizeOf('OVERVIEW_MANY', 10_000)];
/** Number of past hours in which each check has a result. */
const HOURS = sizeOf('OVERVIEW_HOURS', 30);
const ROUNDS = 15;

interface Got {
  status: number;
  tag: string;
  bytes: number;
  body: Buffer;
  took: number;
}

const get = ({ address, key }: Program, path: string, headers: Record<string, string> = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = { authorization: key, 'accept-encoding': 'br', ...headers };
    request(`${address}${path}`, { headers: sent }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.once('end', () => {
        const body = Buffer.concat(chunks);
        const { statusCode: status = 0 } = reply;
        resolve({ status, tag: reply.headers.etag ?? '', bytes: body.length, body, took: performance.now() - began });
      });
    })
      .once('error', reject)
      .end();
  });

/** Waits until nothing has changed for two seconds. */
const untilQuiet = async (program: Program): Promise<void> => {
  let known = '';
  for (let same = 0; same < 4;) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { tag } = await get(program, '/v1/checks/overview?page_size=1');
    same = tag === known ? same + 1 : 0;
    known = tag;
  }
};

const ms = (value: number): string => `${value.toFixed(1)} ms`;

/** Measures the time, CPU time and size of sequential requests. */
const measure = async (program: Program, what: string, path: string, aim: string): Promise<Row[]> => {
  const first = await get(program, path);
  const { checks } = JSON.parse(brotliDecompressSync(first.body).toString()) as { checks: unknown[] };
  const times: number[] = [];
  const before = usageOf(program.pid).cpu;
  for (let round = 0; round < ROUNDS; round++) times.push((await get(program, path)).took);
  const cpu = ((usageOf(program.pid).cpu - before) * 1_000) / ROUNDS;
  const known: number[] = [];
  for (let { tag } = first; known.length < ROUNDS;) {
    const reply = await get(program, path, { 'if-none-match': tag });
    // A request is answered with 304 unless a change was recorded since `tag`. Only responses with 304 are measured.
    if (reply.status === 304) known.push(reply.took);
    tag = reply.tag;
  }
  return [
    {
      what,
      figure: `${ms(median(times))}, p95 ${ms(percentile(times, 0.95))}`,
      peer: `${ms(cpu)} of CPU in all threads; the first time ${ms(first.took)}`,
      aim,
    },
    {
      what: `${what}, compressed`,
      figure: `${(first.bytes / checks.length).toFixed(0)} bytes per row`,
      peer: `${(first.bytes / 1_024).toFixed(0)} KiB`,
      aim: '≤ 120 bytes',
    },
    { what: `${what}, unchanged (304)`, figure: ms(median(known)), aim: '< 5 ms' },
  ];
};

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-overview-'));
  const program = await startProgram({ DATA_DIR: folder, LOG_LEVEL: 'error' });
  const logs = await openLogs(folder);
  try {
    const rows: Row[] = [];
    let filled = 0;
    for (const checks of SIZES) {
      await fillChecks(program, logs, { from: filled, to: checks, hours: HOURS });
      await untilQuiet(program);
      filled = checks;
      const of = `of ${checks.toLocaleString('en')} checks`;
      const size = Math.min(checks, 5_000).toString();
      rows.push(
        ...(await measure(program, `1,000 rows ${of}, failing first`, '/v1/checks/overview', '< 100 ms')),
        ...(await measure(program, `${size} rows ${of}`, `/v1/checks/overview?page_size=${size}`, '< 400 ms')),
        ...(await measure(program, `100 rows ${of}, a text`, '/v1/checks/overview?q=shop-1&page_size=100', '< 50 ms')),
        ...(await measure(
          program,
          `100 rows ${of}, by uptime`,
          '/v1/checks/overview?sort=uptime_30d&page_size=100',
          '',
        )),
      );
    }
    return rows;
  } finally {
    await program.stop();
    await closeLogs(logs);
    rmSync(folder, { recursive: true, force: true });
  }
};
