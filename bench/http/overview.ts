/** The overview of many checks with results, over HTTP: what a page costs and how large it is. */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { request } from 'node:http';
import { catalogue, type EventOf, type EventType } from '../../domain/catalogue.ts';
import { defaultRegionOf, REGIONS } from '../../domain/check/regions.ts';
import { NO_PLACE } from '../../domain/check/state.ts';
import type { NewEvent } from '../../domain/event.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { instantOf } from '../../domain/time.ts';
import { checked } from '../../stores/event-store/checked.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { webResult } from '../tools/result-samples.ts';
import { sizeOf } from '../tools/sizes.ts';
import { median, percentile, type Row } from '../tools/table.ts';
import { usageOf } from '../tools/usage.ts';

const SIZES = [sizeOf('OVERVIEW_FEW', 1_000), sizeOf('OVERVIEW_MANY', 10_000)];
/** Hours before now in which each check has a result. */
const HOURS = sizeOf('OVERVIEW_HOURS', 30);
const ROUNDS = 15;
const HOUR = 3_600_000;
const REGION = defaultRegionOf(REGIONS);

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

const recorded = <T extends EventType>(
  { type, data }: EventOf<T>,
  organization_id: string,
  at: number,
): NewEvent<EventOf<T>> => {
  const id = derivedUuid(JSON.stringify(data));
  return {
    id,
    type,
    data,
    metadata: {
      $correlationId: id,
      $causationId: id,
      command_id: id,
      actor: { kind: 'system', id: 'bench', role: null },
      organization_id,
      recorded_at: instantOf(at),
      schema_version: versionOf(type),
    },
  };
};

const versionOf = (type: EventType): number => {
  const definitions = Object.values(catalogue) as unknown as Record<string, { version: number }>[];
  return definitions.find((events) => type in events)?.[type]?.version ?? 1;
};

const isDown = (number: number): boolean => number % 50 === 0;

/** Events of a check, created and then up or down. It is parked, so it does not run while it is measured. */
const checkEvents = (id: string, number: number, organization_id: string, now: number): NewEvent[] => {
  const created: EventOf<'CheckCreated'> = {
    type: 'CheckCreated',
    data: {
      check_id: id,
      organization_id,
      name: `Shop ${number.toString()}`,
      type: 'web',
      active: true,
      interval: 86_400,
      timeout: 10,
      host: null,
      url: `http://127.0.0.1:9/shop-${number.toString()}`,
      port: null,
      parameters: {},
      tags: ['team:shop'],
      secrets: [],
      ...NO_PLACE,
    },
  };
  const at = now - randomInt(30 * 24 * HOUR);
  const [run_id, slot] = [derivedId(`run of ${id}`), instantOf(at)];
  const verdict = {
    check_id: id,
    result_id: derivedId(`verdict of ${id}`),
    run_id,
    slot,
    region: REGION.id,
    at: instantOf(at + 300),
  };
  const error_message = 'The server answered 503 Service Unavailable.';
  return [
    recorded(created, organization_id, now - 40 * 24 * HOUR),
    recorded(
      { type: 'CheckParked', data: { check_id: id, run_id, region: REGION.id, at: slot, cause: 'it was ended' } },
      organization_id,
      at,
    ),
    isDown(number)
      ? recorded({ type: 'CheckWentDown', data: { ...verdict, error_message } }, organization_id, at)
      : recorded({ type: 'CheckCameUp', data: verdict }, organization_id, at),
  ];
};

/** A result of a check that takes about as long each time. */
const resultAt = (check_id: string, organization_id: string, at: number, usual: number, failed: boolean): NewEvent => {
  const { data, metadata, ...event } = webResult(check_id, at);
  return {
    ...event,
    data: {
      ...data,
      organization_id,
      status: failed ? 'failed' : 'ok',
      response_time: usual + randomInt(Math.ceil(usual / 5)),
    },
    metadata: { ...metadata, organization_id },
  };
};

const ORGANIZATION_PAGE = { name: 'Overview' };

const fill = async (program: Program, logs: Record<'main' | 'results', EventStore>, from: number, to: number) => {
  const made = await fetch(`${program.address}/v1/pages`, {
    method: 'POST',
    headers: { authorization: program.key, 'content-type': 'application/json' },
    body: JSON.stringify(ORGANIZATION_PAGE),
  });
  const { organization_id } = (await made.json()) as { organization_id: string };
  const now = Date.now();
  const ids = Array.from({ length: to - from }, (_, index) => derivedId(`check ${(from + index).toString()}`));
  for (let first = 0; first < ids.length; first += 500) {
    const some = ids.slice(first, first + 500);
    await Promise.all(
      some.map((id, index) =>
        logs.main.append(`check-${id}`, checkEvents(id, from + first + index, organization_id, now), 'no_stream'),
      ),
    );
  }
  const stream = `check_results-${REGION.aliases[0]}`;
  const usual = ids.map(() => 20 + randomInt(400));
  for (let hour = HOURS; hour >= 0; hour--) {
    const at = now - hour * HOUR;
    for (let first = 0; first < ids.length; first += 500) {
      const some = ids.slice(first, first + 500);
      const events = some.map((id, offset) => {
        const index = first + offset;
        // The newest result agrees with the status, so nothing changes while it is measured.
        const failed = hour === 0 ? isDown(from + index) : randomInt(100) === 0;
        return resultAt(id, organization_id, at + randomInt(1_000) - 1_000, usual[index] ?? 0, failed);
      });
      await logs.results.append(stream, events, 'any');
    }
  }
  await untilRead(program, to);
  await untilQuiet(program);
};

/** Waits until all checks are shown with results. */
const untilRead = async (program: Program, checks: number): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    const reply = await fetch(`${program.address}/v1/checks/overview?sort=uptime_24h&page_size=5000`, {
      headers: { authorization: program.key },
    });
    if (reply.ok) {
      const { pagination, checks: rows } = (await reply.json()) as {
        pagination: { total_items: number };
        checks: { hours: (number | null)[] }[];
      };
      const isRead = rows.every(({ hours }) => hours.filter((hour) => hour !== null).length >= Math.min(HOURS, 24) - 1);
      if (pagination.total_items === checks && isRead) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 2_000));
  }
  throw new Error('The checks are not shown.');
};

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

/** Time, CPU time and size of requests, one after another. */
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
    // Something may still be recorded.
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
      figure: `${(first.bytes / checks.length).toFixed(0)} bytes a row`,
      peer: `${(first.bytes / 1_024).toFixed(0)} KiB`,
      aim: '≤ 120 bytes',
    },
    { what: `${what}, unchanged (304)`, figure: ms(median(known)), aim: '< 5 ms' },
  ];
};

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-overview-'));
  const program = await startProgram({ DATA_DIR: folder, LOG_LEVEL: 'error' });
  const open = async (name: 'main' | 'results', file: string): Promise<EventStore> =>
    checked(await openSqliteEventStore({ file: join(folder, file), name, mode: 'appender' }));
  const logs = { main: await open('main', 'events.db'), results: await open('results', 'results.db') };
  try {
    const rows: Row[] = [];
    let filled = 0;
    for (const checks of SIZES) {
      await fill(program, logs, filled, checks);
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
    await Promise.all(Object.values(logs).map((log) => log.close()));
    rmSync(folder, { recursive: true, force: true });
  }
};
