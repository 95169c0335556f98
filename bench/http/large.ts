/**
 * Measures a service with 10,000 pages and 1,000,000 events: its start-up time, and its performance during a rebuild.
 */
import autocannon from 'autocannon';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewEvent, RecordedEvent } from '../../domain/event.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { inProject } from '../../test/project.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { perSecond, type Row } from '../tools/table.ts';

const PAGES = Number(process.env['BENCH_PAGES'] ?? 10_000);
const COMPONENTS = 4;
const INCIDENTS = 19;
const AT_ONCE = 200;
const SECONDS = 6;

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-large-'));
  const env = { DATA_DIR: folder, LOG_LEVEL: 'warn' };
  try {
    const { page, incident } = await withProgram(env, makeOnePage);
    const events = await copyPages(folder);
    // The first start after copying folds the events of the copies, so it is not measured.
    await withProgram(env, untilReady);
    const started = performance.now();
    const program = await startProgram(env);
    try {
      await untilReady(program);
      const row = {
        what: `Start with ${PAGES.toLocaleString('en')} pages and ${events.toLocaleString('en')} events, until ready`,
        figure: `${Math.round(performance.now() - started).toLocaleString('en')} ms`,
        aim: '< 3,000 ms',
      };
      return [row, ...(await besideRebuild(program, folder, page, incident))];
    } finally {
      await program.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const withProgram = async <T>(env: Record<string, string>, use: (program: Program) => Promise<T>): Promise<T> => {
  const program = await startProgram(env);
  try {
    return await use(program);
  } finally {
    await program.stop();
  }
};

const headersOf = ({ key }: Program) => ({ authorization: key, 'content-type': 'application/json' });

const opening = (components: readonly string[]) => ({
  name: 'Slow answers',
  status: 'investigating',
  body: 'Some requests are slow; we are looking into it.',
  components: Object.fromEntries(components.map((id) => [id, 'partial_outage'])),
});

/** Creates one page through the API. All other pages are copies of this page. */
const makeOnePage = async (program: Program): Promise<{ page: string; incident: string }> => {
  const ask = async (method: string, path: string, body: object): Promise<string> => {
    const response = await fetch(program.address + path, {
      method,
      headers: headersOf(program),
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { id: string }).id;
  };
  const page = await ask('POST', '/v1/pages', { name: 'Original', subdomain: 'original' });
  const components: string[] = [];
  for (let n = 0; n < COMPONENTS; n++) {
    components.push(await ask('POST', `/v1/pages/${page}/components`, { name: `Component ${n}` }));
  }
  let incident = '';
  for (let n = 0; n < INCIDENTS; n++) {
    incident = await ask('POST', `/v1/pages/${page}/incidents`, opening([components[n % COMPONENTS] ?? '']));
    for (const status of ['identified', 'monitoring', 'monitoring', 'resolved']) {
      await ask('PATCH', `/v1/pages/${page}/incidents/${incident}`, { status, body: 'We know more now.' });
    }
  }
  return { page, incident };
};

/**
 * Appends copies of the page and its incidents, with new ids.
 *
 * @returns the number of events in the log
 */
const copyPages = async (folder: string): Promise<number> => {
  const store = await openSqliteEventStore({ file: join(folder, 'events.db'), name: 'main', mode: 'service' });
  const streams = new Map<string, RecordedEvent[]>();
  for (const event of await store.readAll({ after: 0n, categories: ['page', 'incident'], limit: 10_000 })) {
    streams.set(event.stream, [...(streams.get(event.stream) ?? []), event]);
  }
  const [first] = [...streams.values()].flat();
  const shared = new Set([first?.metadata.organization_id, first?.metadata.actor.id]);
  const original = [...streams].map(([stream, events]) => ({ stream, text: JSON.stringify(events.map(asNew)) }));
  let appended = 0;
  let appends: Promise<unknown>[] = [];
  for (let n = 1; n < PAGES; n++) {
    for (const { stream, text } of original) {
      const events = JSON.parse(copied(text, n, shared)) as NewEvent[];
      for (const event of events) event.id = event.metadata.command_id = randomUUID();
      appended += events.length;
      appends.push(store.append(copied(stream, n, shared), events, 'no_stream'));
    }
    if (appends.length < AT_ONCE) continue;
    await Promise.all(appends);
    appends = [];
  }
  await Promise.all(appends);
  await store.close();
  return appended + [...streams.values()].flat().length;
};

const asNew = ({ id, type, data, metadata }: RecordedEvent): NewEvent => ({ id, type, data, metadata });

/** Inserts the number of a copy into the original's subdomain and into all of its ids except the shared ones. */
const copied = (text: string, n: number, shared: ReadonlySet<string | null | undefined>): string => {
  const mark = n.toString(36).padStart(4, '0');
  return text
    .replace(/(?<=")[a-z0-9]{12}(?=")|(?<=^\w+-)[a-z0-9]{12}$/g, (id) =>
      shared.has(id) ? id : `${id.slice(0, 8)}${mark}`,
    )
    .replaceAll('"subdomain":"original"', `"subdomain":"copy-${n}"`);
};

const untilReady = async ({ address }: Program): Promise<void> => {
  for (;;) {
    const { ok } = await fetch(`${address}/health/ready`).catch(() => ({ ok: false }));
    if (ok) return;
    await new Promise((later) => setTimeout(later, 20));
  }
};

const besideRebuild = async (program: Program, folder: string, page: string, incident: string): Promise<Row[]> => {
  const path = `/v1/pages/${page}/incidents`;
  const measure = async () => {
    await loopDelay(program);
    const reads = await shoot(program, { path: `${path}/${incident}`, connections: 4 });
    const writes = await shoot(program, { path, connections: 4, body: opening([]) });
    return { reads, writes, delay: await loopDelay(program) };
  };
  await measure();
  const alone = await measure();
  const rebuild = spawn(process.execPath, [inProject('dist/cli/uptrail.cjs'), 'rebuild', 'incidents'], {
    env: { ...process.env, DATA_DIR: folder },
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => rebuild.once('exit', resolve));
  const beside = await measure();
  const stillRunning = rebuild.exitCode === null;
  const code = await ended;
  if (code !== 0) throw new Error(`uptrail rebuild ended with ${String(code)}.`);
  const during = stillRunning ? '' : ' (which ended earlier)';
  const row = (what: string, now: number, before: number): Row => ({
    what: `${what} during a rebuild of incidents${during}`,
    figure: perSecond(now, SECONDS * 1_000),
    peer: `without it ${perSecond(before, SECONDS * 1_000)}`,
    ratio: now / before,
    aim: 'near 1',
  });
  return [
    row('GET of an incident', beside.reads, alone.reads),
    row('POST of an incident', beside.writes, alone.writes),
    {
      what: 'Event-loop delay of the main thread, p99, under load during a rebuild',
      figure: `${beside.delay.toFixed(1)} ms`,
      peer: `without it ${alone.delay.toFixed(1)} ms`,
      aim: '< 20 ms',
    },
  ];
};

/** Sends requests, and returns the number of responses with a 2xx status. */
const shoot = async (
  program: Program,
  { path, connections, body }: { path: string; connections: number; body?: object },
): Promise<number> => {
  const result = await autocannon({
    url: program.address + path,
    connections,
    duration: SECONDS,
    headers: headersOf(program),
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  return result['2xx'];
};

/** Reads the event-loop delay since the previous call, in milliseconds. */
const loopDelay = async ({ address }: Program): Promise<number> => {
  const metrics = await (await fetch(`${address}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(metrics)?.[1]) * 1_000;
};
