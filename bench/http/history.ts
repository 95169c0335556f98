/** Measures the history of a resource with 10,000 changes, and compares it with a read of the resource. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY_MS, instantOf } from '../../domain/time.ts';
import { createCheckedStore } from '../../stores/event-store/checked.ts';
import { openSqliteEventStore } from '../../stores/event-store/sqlite/open.ts';
import { recorded, requestJson, send, untilFound } from '../tools/filled-page.ts';
import { startProgram, type Program } from '../tools/program.ts';
import { median, type Row } from '../tools/table.ts';

const CHANGES = 10_000;
const CHANGES_PER_APPEND = 500;
const REQUESTS = 15;

export const bench = async (): Promise<Row[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'uptrail-history-'));
  try {
    const program = await startProgram({ DATA_DIR: folder });
    try {
      return await measure(program, await changedTemplate(program, folder));
    } finally {
      await program.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Creates an incident template and renames it 10,000 times. Returns the path of the template. */
const changedTemplate = async (program: Program, folder: string): Promise<string> => {
  interface Template {
    id: string;
    organization_id: string;
  }
  const template = (await requestJson(program, '/v1/incident-templates', { name: 'Name 0' })) as Template;
  const { id: incident_template_id, organization_id } = template;
  const log = createCheckedStore(
    await openSqliteEventStore({ file: join(folder, 'events.db'), name: 'main', mode: 'appender' }),
  );
  try {
    for (let from = 0; from < CHANGES; from += CHANGES_PER_APPEND) {
      const events = Array.from({ length: CHANGES_PER_APPEND }, (_, index) => {
        const [previous, changes] = [from + index, from + index + 1].map((number) => ({ name: `Name ${number}` }));
        const data = { incident_template_id, changes: changes ?? {}, previous: previous ?? {} };
        return recorded({ type: 'IncidentTemplateUpdated', data }, organization_id);
      });
      await log.append(`incident_template-${incident_template_id}`, events, 'any');
    }
  } finally {
    await log.close();
  }
  const path = `/v1/incident-templates/${incident_template_id}`;
  await untilFound(program, path, (body) => body.includes(`Name ${CHANGES}`));
  return path;
};

const measure = async (program: Program, path: string): Promise<Row[]> => {
  const timed = async (address: string): Promise<number> => {
    const started = performance.now();
    const response = await send(program, address);
    const body = await response.text();
    if (!response.ok) throw new Error(`${address} responded with ${response.status}: ${body.slice(0, 500)}`);
    return performance.now() - started;
  };
  const dayAgo = `${instantOf(Date.now() - DAY_MS)}Z`;
  const rows: Row[] = [];
  for (const [what, address, aim] of [
    ['newest 20 entries', `${path}/history?per_page=20`, '< 200 ms'],
    ['entries 9,981 to 10,000', `${path}/history?per_page=20&page=500`, '< 200 ms'],
    ['difference of two moments', `${path}/history/diff?from=${dayAgo}`, '< 1 s'],
    ['moments of change', `${path}/history/moments`, '< 1 s'],
  ] as const) {
    const first = await timed(address);
    const times = { current: [] as number[], repeated: [] as number[] };
    for (let request = 0; request < REQUESTS; request++) {
      times.current.push(await timed(path));
      times.repeated.push(await timed(address));
    }
    const [current, repeated] = [median(times.current), median(times.repeated)];
    rows.push({
      what: `history of a resource with ${CHANGES.toLocaleString('en')} changes: ${what}`,
      figure: `${repeated.toFixed(1)} ms, first time ${first.toFixed(1)} ms`,
      peer: `read of the resource ${current.toFixed(1)} ms`,
      ratio: current / repeated,
      aim,
    });
  }
  return rows;
};
