/** Measures the statement of one month over HTTP, for a page with 50 components and five years of incidents. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, instantOf, SECOND_MS } from '../../domain/time.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { shiftedClock } from '../../test/e2e/faketime.ts';
import { addIncidents, createPage, requestJson, type FilledPage } from '../tools/filled-page.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { median, type Row } from '../tools/table.ts';
import { untilIdle } from '../tools/until-idle.ts';

const COMPONENTS = 50;
const INCIDENTS = 2_000;
const YEARS = 5;
/** Number of requests per row. The first request for a month can reuse cached events, but no other cached data. */
const REQUESTS = 15;

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-statements-'));
  try {
    // The clock of this process is set back, so that the page is created before its incidents.
    const earlier = await startProgram({ DATA_DIR: folder, ...shiftedClock((-YEARS * 366 * DAY_MS) / SECOND_MS) });
    const page = await createPage(earlier, COMPONENTS).finally(() => earlier.stop());
    await withProgram(folder, page, async (program) => {
      const log = createCheckedStore(
        await openSqliteEventStore({ file: join(folder, 'events.db'), name: 'main', mode: 'appender' }),
      );
      await addIncidents(program, log, page, { incidents: INCIDENTS, days: YEARS * 365 }).finally(() => log.close());
    });
    // Both measurements start a new process, which has not read any events of the page yet.
    const first = await withProgram(folder, page, (program) => timed(program, page, monthBefore(1)));
    return await withProgram(folder, page, (program) => measure(program, page, first));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const withProgram = async <T>(
  folder: string,
  { path }: FilledPage,
  task: (program: Program) => Promise<T>,
): Promise<T> => {
  const program = await startProgram({ DATA_DIR: folder });
  try {
    await untilIdle(program, path);
    return await task(program);
  } finally {
    await program.stop();
  }
};

const monthBefore = (months: number): string => instantOf(Date.now() - months * 30.5 * DAY_MS).slice(0, 7);

const timed = async (
  program: Program,
  { path }: FilledPage,
  month: string,
  accept = 'application/json',
): Promise<number> => {
  const headers = { authorization: program.key, accept };
  const started = performance.now();
  for (;;) {
    const response = await fetch(`${program.address}${path}/statements/${month}`, { headers });
    const text = await response.text();
    if (response.ok) return performance.now() - started;
    // On a busy machine, a request can exceed its deadline. A repeated request continues with the events that were
    // already read and folded.
    if (response.status !== 503) throw new Error(`The statement of ${month} responded ${response.status}: ${text}`);
  }
};

const measure = async (program: Program, page: FilledPage, first: number): Promise<Row[]> => {
  const times = { statement: [] as number[], uptime: [] as number[], pdf: [] as number[] };
  await timed(program, page, monthBefore(1));
  for (let request = 0; request < REQUESTS; request++) {
    const month = monthBefore(request + 2);
    times.statement.push(await timed(program, page, month));
    times.pdf.push(await timed(program, page, month, 'application/pdf'));
    const started = performance.now();
    const query = `?start=${month}&end=${month}`;
    await requestJson(program, `${page.path}/components/uptime${query}`, { component_ids: page.components });
    times.uptime.push(performance.now() - started);
  }
  const uptime = median(times.uptime);
  const peer = `uptime of the same month ${uptime.toFixed(1)} ms`;
  const row = (what: string, milliseconds: number, aim: string): Row => ({
    what,
    figure: `${milliseconds.toFixed(1)} ms`,
    peer,
    ratio: uptime / milliseconds,
    aim,
  });
  const many = `${COMPONENTS} components, ${INCIDENTS.toLocaleString('en')} incidents in ${YEARS} years`;
  return [
    row(`first statement after a start, ${many}`, first, '< 1,500 ms'),
    row(`statement of another month, ${many}`, median(times.statement), '< 100 ms'),
    row(`the same as PDF`, median(times.pdf), '< 2,000 ms'),
  ];
};
