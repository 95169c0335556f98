/**
 * Measures past states of a page with five years of incidents, read for the first time and repeatedly, and compares
 * them with the current state.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, instantOf, SECOND_MS } from '../../domain/time.ts';
import { shiftedClock } from '../../test/e2e/faketime.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { addIncidents, createPage, requestJson, send } from '../tools/filled-page.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { median, type Row } from '../tools/table.ts';
import { untilIdle } from '../tools/until-idle.ts';
import { usageOf } from '../tools/usage.ts';

const INCIDENTS = 2_000;
const YEARS = 5;
/** Number of requests per row. Each request for a first read uses a different moment. */
const REQUESTS = 15;
/** Number of starts after which a first read is measured. */
const STARTS = 5;

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-past-'));
  try {
    // The clock of this process is set back, so that the page is created before its incidents.
    const earlier = await startProgram({ DATA_DIR: folder, ...shiftedClock((-YEARS * 366 * DAY_MS) / SECOND_MS) });
    const page = await createPage(earlier, 100).finally(() => earlier.stop());
    const program = await startProgram({ DATA_DIR: folder });
    const log = createCheckedStore(
      await openSqliteEventStore({ file: join(folder, 'events.db'), name: 'main', mode: 'appender' }),
    );
    let rows: Row[];
    try {
      await addIncidents(program, log, page, { incidents: INCIDENTS, days: YEARS * 365 });
      await untilIdle(program, page.path);
      rows = await measureReads(program, page.path);
    } finally {
      await log.close();
      await program.stop();
    }
    return [...rows, await measureFirstRead(folder, `${page.path}/incidents`)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Measures the CPU time of the first read of a past state after a start, when nothing of the log has been read. */
const measureFirstRead = async (folder: string, address: string): Promise<Row> => {
  const at = `?at=${instantOf(Date.now() - 7 * DAY_MS)}Z`;
  const times: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    const program = await startProgram({ DATA_DIR: folder });
    try {
      await untilIdle(program, address);
      const before = usageOf(program.pid).cpu;
      await (await send(program, address + at)).arrayBuffer();
      times.push((usageOf(program.pid).cpu - before) * 1_000);
    } finally {
      await program.stop();
    }
  }
  return {
    what: 'all incidents as of a moment, the first read of a past state after a start',
    figure: `${median(times).toFixed(0)} ms of CPU time, worst ${Math.max(...times).toFixed(0)} ms`,
  };
};

const measureReads = async (program: Program, path: string): Promise<Row[]> => {
  const now = Date.now();
  const timed = async (address: string): Promise<number> => {
    const started = performance.now();
    const response = await send(program, address);
    const body = await response.text();
    if (!response.ok) throw new Error(`${address} responded with ${response.status}: ${body.slice(0, 500)}`);
    return performance.now() - started;
  };
  const rows: Row[] = [];
  const compare = async (what: string, address: string): Promise<void> => {
    const times = { cold: [] as number[], repeated: [] as number[], current: [] as number[] };
    for (let request = 0; request < REQUESTS; request++) {
      const at = `${address.includes('?') ? '&' : '?'}at=${instantOf(now - (request + 1) * 7 * DAY_MS)}Z`;
      times.current.push(await timed(address));
      times.cold.push(await timed(address + at));
      times.repeated.push(await timed(address + at));
    }
    const current = median(times.current);
    const peer = `current state ${current.toFixed(1)} ms`;
    rows.push(
      {
        what: `${what}, as of a moment, first time`,
        figure: `${median(times.cold).toFixed(1)} ms, worst ${Math.max(...times.cold).toFixed(1)} ms`,
        peer,
        ratio: current / median(times.cold),
        aim: '< 200 ms',
      },
      {
        what: `${what}, the same moment again`,
        figure: `${median(times.repeated).toFixed(1)} ms`,
        peer,
        ratio: current / median(times.repeated),
        aim: '< 20 ms',
      },
    );
  };
  const many = `page with ${INCIDENTS.toLocaleString('en')} incidents`;
  await compare(`GET of a ${many}`, path);
  await compare(`components of a ${many}`, `${path}/components`);
  await compare(`all incidents of a ${many}`, `${path}/incidents`);
  const component = ((await requestJson(program, `${path}/components?per_page=1`)) as { id: string }[])[0]?.id ?? '';
  await compare(`uptime of a component of a ${many}`, `${path}/components/${component}/uptime`);
  return rows;
};
