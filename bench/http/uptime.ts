/** Measures the uptime of 100 components over 90 days, over HTTP, with and without incidents outside that period. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, instantOf } from '../../domain/time.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { addIncidents, createPage, requestJson, type FilledPage } from '../tools/filled-page.ts';
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
      const [long, short] = [await createPage(program, COMPONENTS), await createPage(program, COMPONENTS)];
      await addIncidents(program, log, long, { incidents: INCIDENTS, days: YEARS * 365 });
      await addIncidents(program, log, short, { incidents: Math.round((INCIDENTS * 90) / (YEARS * 365)), days: 90 });
      return await compare(program, long, short);
    } finally {
      await log.close();
      await program.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Measures both pages in alternation, because the machine's speed varies. */
const compare = async (program: Program, long: FilledPage, short: FilledPage): Promise<Row[]> => {
  const now = Date.now();
  const day = (ago: number): string => instantOf(now - ago * DAY_MS).slice(0, 10);
  const once = async ({ path, components }: FilledPage, end: number): Promise<number> => {
    const query = `?start=${day(end + 89)}&end=${day(end)}`;
    const started = performance.now();
    await requestJson(program, `${path}/components/uptime${query}`, { component_ids: components });
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
