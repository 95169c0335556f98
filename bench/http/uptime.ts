/** Measures requests for the uptime of 100 components over 90 days, with and without incidents before that period. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IncidentEvent } from '../../domain/incident/events.ts';
import type { NewEvent } from '../../domain/event.ts';
import { derivedId } from '../../domain/identity.ts';
import { DAY_MS, HOUR_MS, instantOf } from '../../domain/time.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { percentile, type Row } from '../tools/table.ts';

const COMPONENTS = 100;
const INCIDENTS = 2_000;
const YEARS = 5;
const REQUESTS = 40;

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-uptime-'));
  try {
    const program = await startProgram({ DATA_DIR: folder });
    const log = createCheckedStore(
      await openSqliteEventStore({ file: join(folder, 'events.db'), name: 'main', mode: 'appender' }),
    );
    try {
      const long = await fill(program, log, YEARS * 365, INCIDENTS);
      const short = await fill(program, log, 90, Math.round((INCIDENTS * 90) / (YEARS * 365)));
      return await compare(program, long, short);
    } finally {
      await log.close();
      await program.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

interface Filled {
  path: string;
  components: string[];
}

/** Creates a page of 100 components with incidents over a number of past days. */
const fill = async (program: Program, log: EventStore, days: number, incidents: number): Promise<Filled> => {
  const page = (await ask(program, '/v1/pages', { name: 'Uptime' })) as { id: string; organization_id: string };
  const path = `/v1/pages/${page.id}`;
  const components: string[] = [];
  for (let n = 0; n < COMPONENTS; n++) {
    const component = { name: `Component ${n}`, start_date: '2015-01-01' };
    components.push(((await ask(program, `${path}/components`, component)) as { id: string }).id);
  }
  const now = Date.now();
  let last = '';
  for (let n = 0; n < incidents; n++) {
    last = derivedId(`${page.id}/${n}`);
    // The incidents are spread evenly. Each affects one to three components for some hours. Every tenth leaves the
    // status of the components unchanged.
    const begins = now - days * DAY_MS + (n * days * DAY_MS) / incidents;
    const touched = Array.from({ length: 1 + (n % 3) }, (_, k) => components[(n * 7 + k * 31) % COMPONENTS] ?? '');
    const events = incident(page.id, last, touched, begins, (1 + (n % 6)) * HOUR_MS, n % 10 === 0);
    await log.append(
      `incident-${last}`,
      events.map((event) => recorded(event, page.organization_id)),
      'no_stream',
    );
  }
  await untilFound(program, `${path}/incidents/${last}`);
  return { path, components };
};

/** Creates the events of an incident that is opened, improves and is resolved. */
const incident = (
  page_id: string,
  incident_id: string,
  components: string[],
  begins: number,
  length: number,
  leaves: boolean,
): IncidentEvent[] => {
  const update = (n: number, at: number, status: 'investigating' | 'monitoring' | 'resolved', component: string) => ({
    id: derivedId(`${incident_id}/${n}`),
    body: 'Some requests are slow; we are looking into it.',
    status,
    status_sent: true,
    components: Object.fromEntries(components.map((id) => [id, component as 'operational'])),
    deliver_notifications: true,
    created_at: instantOf(at),
  });
  const ids = { incident_id, page_id };
  const created_at = instantOf(begins);
  const fields = { name: 'Slow answers', impact: 'major' as const, metadata: null };
  const first = update(0, begins, 'investigating', 'major_outage');
  const better = update(1, begins + length / 2, 'monitoring', 'partial_outage');
  const resolved = update(2, begins + length, 'resolved', leaves ? 'degraded_performance' : 'operational');
  return [
    { type: 'IncidentOpened', data: { ...ids, created_at, incident: fields, update: first } },
    { type: 'IncidentUpdateAppended', data: { ...ids, update: better } },
    { type: 'IncidentUpdateAppended', data: { ...ids, update: resolved } },
  ];
};

const recorded = (event: IncidentEvent, organization_id: string): NewEvent => {
  const id = randomUUID();
  return {
    id,
    type: event.type,
    data: event.data,
    metadata: {
      $correlationId: id,
      $causationId: id,
      command_id: id,
      actor: { kind: 'system', id: 'bench', role: null },
      organization_id,
      recorded_at: instantOf(Date.now()),
      schema_version: 1,
    },
  };
};

const send = (program: Program, path: string, body?: object): Promise<Response> =>
  fetch(`${program.address}${path}`, {
    headers: { authorization: program.key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });

const ask = async (program: Program, path: string, body?: object): Promise<unknown> => {
  const response = await send(program, path, body);
  if (!response.ok) throw new Error(`${path} responded ${response.status}: ${await response.text()}`);
  return response.json();
};

/** Waits until the program has folded events that another connection appended. It notices these within 100 ms. */
const untilFound = async (program: Program, path: string): Promise<void> => {
  for (let tries = 0; tries < 300; tries++) {
    const response = await send(program, path);
    await response.arrayBuffer();
    if (response.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${path} was not found in time.`);
};

/** Measures both pages in alternation, because the machine's speed varies. */
const compare = async (program: Program, long: Filled, short: Filled): Promise<Row[]> => {
  const now = Date.now();
  const day = (ago: number): string => instantOf(now - ago * DAY_MS).slice(0, 10);
  const once = async ({ path, components }: Filled, end: number): Promise<number> => {
    const query = `?start=${day(end + 89)}&end=${day(end)}`;
    const started = performance.now();
    await ask(program, `${path}/components/uptime${query}`, { component_ids: components });
    return performance.now() - started;
  };
  const times = { today: [] as number[], past: [] as number[], without: [] as number[] };
  for (let request = 0; request < REQUESTS; request++) {
    times.today.push(await once(long, 0));
    times.past.push(await once(long, 3 * 365));
    times.without.push(await once(short, 0));
  }
  const middle = (values: number[]): number => percentile(values, 0.5);
  const without = middle(times.without);
  const row = (what: string, values: number[]): Row => ({
    what,
    figure: `${middle(values).toFixed(1)} ms`,
    peer: `no incidents outside the 90 days ${without.toFixed(1)} ms`,
    ratio: without / middle(values),
    aim: '< 50 ms, ratio ≈ 1',
  });
  const many = `${INCIDENTS.toLocaleString('en')} incidents in ${YEARS} years`;
  return [
    row(`uptime of ${COMPONENTS} components, last 90 days, ${many}`, times.today),
    row(`the same for 90 days three years ago`, times.past),
  ];
};
