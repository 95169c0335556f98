import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventOf } from '../../../domain/event-types.ts';
import type { ComponentMap } from '../../../domain/incident/fields.ts';
import { DAY_MS, type Instant, instantOf } from '../../../domain/time.ts';
import type { LaneDocument } from '../../../projections/components/documents.ts';
import { readLanesBetween } from '../../../queries/uptime/lanes-between.ts';
import { manualLane, lanesOfIncident } from '../../../projections/components/lanes.ts';
import { components } from '../../../projections/components/projection.ts';
import { indexedFields } from '../../../stores/read-store/indexes.ts';
import type { Query } from '../../../stores/read-store/port.ts';
import { openGenerationFiles } from '../../../stores/read-store/sqlite/generation-files.ts';
import { openSqliteReadStore } from '../../../stores/read-store/sqlite/open.ts';
import { findSql } from '../../../stores/read-store/sqlite/query.ts';
import { temporaryDirectory } from '../../stores/temporary.ts';

const test = suite('the lanes of incidents in a period');

const BEGINNING = Date.parse('2021-01-01T00:00:00Z');
const day = (days: number): Instant => instantOf(BEGINNING + days * DAY_MS);
const GENERATION = { projection: 'components@1', number: 1 };

const { directory, remove } = temporaryDirectory();
const writer = openSqliteReadStore({ directory, mode: 'writer' });
const files = openGenerationFiles({ directory, mode: 'reader' });
test.before(() => writer.open(GENERATION, components.collections));
test.after(async () => {
  files.close();
  await writer.close();
  remove();
});

let place = 0;
const order = (): string => (place++).toString().padStart(8, '0');

type Said = [days: number, status: EventOf<'IncidentStatusChanged'>['data']['changes']['status'], ComponentMap?];

const incident = (id: string, component: string, ...changes: Said[]): LaneDocument => {
  const facts = changes.map(([days, status, map = {}]) => ({
    update_id: `${id}/${days}`,
    at: day(days),
    status,
    status_sent: true,
    components: map,
    switches: null,
    past: false,
    order: order(),
  }));
  const lane = lanesOfIncident(id, facts)(component);
  if (!lane) throw new Error('The incident does not name the component.');
  return lane;
};
const outage = (id: string, component: string, from: number, to: number): LaneDocument =>
  incident(
    id,
    component,
    [from, 'investigating', { [component]: 'major_outage' }],
    [to, 'resolved', { [component]: 'operational' }],
  );

const put = (...lanes: LaneDocument[]) =>
  writer.commit(
    GENERATION,
    { lanes: lanes.map((lane) => ({ put: lane })) },
    { log_id: 'l', position: 1n, event_id: null },
  );

/**
 * Reads the lanes between two days.
 *
 * @returns the queries, the ids of the lanes that they read, and a function that returns the ids of a component's lanes
 */
const between = async (ids: string[], from: number, to: number) => {
  const queries: Query[] = [];
  const read: string[] = [];
  const find = async (query: Query): Promise<LaneDocument[]> => {
    const found = (await writer.find(GENERATION, 'lanes', query)) as LaneDocument[];
    queries.push(query);
    read.push(...found.map(({ id }) => id));
    return found;
  };
  const found = await readLanesBetween({ find }, ids, day(from), day(to));
  const idsOf = (component: string): string[] => (found.get(component) ?? []).map(({ id }) => id).sort();
  return { queries, read, idsOf };
};

test('the lanes of a period are those that overlap the period, and the newest lane that ended before it', async () => {
  await put(
    outage('1', 'a', 10, 11),
    outage('2', 'a', 20, 21),
    outage('3', 'a', 29, 31),
    outage('4', 'a', 35, 36),
    outage('5', 'a', 50, 51),
    outage('6', 'other', 35, 36),
  );
  const { idsOf } = await between(['a'], 30, 40);
  assert.equal(idsOf('a'), ['2:a', '3:a', '4:a']);
});

test('the lanes of a period include much older ones that are still open or whose status was never replaced', async () => {
  await put(
    incident('7', 'b', [1, 'investigating', { b: 'partial_outage' }]),
    incident('8', 'b', [2, 'investigating', { b: 'major_outage' }], [600, 'resolved']),
    incident('9', 'b', [3, 'investigating', { b: 'major_outage' }], [601, 'resolved']),
    outage('10', 'b', 599, 599.5),
  );
  assert.equal((await between(['b'], 700, 710)).idsOf('b'), ['10:b', '7:b', '8:b', '9:b']);
});

test('the lanes of a period include a manual change that ended open lanes, even if other incidents set the component afterwards', async () => {
  const edit = manualLane('c', 'edit', day(5), order(), 'operational');
  await put(incident('11', 'c', [1, 'investigating', { c: 'major_outage' }]), edit, outage('12', 'c', 10, 11));
  assert.equal((await between(['c'], 20, 30)).idsOf('c'), ['11:c', '12:c', edit.id]);
});

test('lanes of other periods are not read', async () => {
  await put(...[0, 1].map((n) => outage(`d${n}`, 'd', 900 + n, 900.5 + n)));
  const few = await between(['d'], 890, 980);
  const lanes = Array.from({ length: 3_000 }, (_, n) => {
    const from = (n * 1_700) / 3_000;
    const length = [0.1, 1, 5][n % 3] ?? 0;
    return outage(`e${n}`, 'd', from < 850 ? from : from + 150, (from < 850 ? from : from + 150) + length);
  });
  await put(...lanes);
  const many = await between(['d'], 890, 980);
  assert.equal(
    many.idsOf('d').filter((id) => id.startsWith('d')),
    few.idsOf('d'),
  );
  assert.ok(many.read.length <= few.read.length + 5, `${many.read.length} lanes were read`);
});

test('the query for the lanes of a period uses an index', async () => {
  const { queries } = await between(['a', 'b', 'c'], 30, 40);
  const collection = components.collections.lanes;
  const table = { name: '"documents_lanes"', indexed: new Set(indexedFields(collection)) };
  for (const query of queries) {
    const { text, parameters } = findSql(table, query);
    const steps = files
      .of(GENERATION)
      .connection.prepare(`EXPLAIN QUERY PLAN ${text}`)
      .all(...parameters)
      .map((row) => (row as { detail: string }).detail)
      .filter((step) => step.includes('documents_lanes'));
    assert.is(steps.length, 1);
    assert.match(
      steps[0] ?? '',
      /USING INDEX lanes\(component_id, (span, begins\) \(<expr>=\? AND <expr>=\? AND|leaves\) \(<expr>=\? AND) <expr>/,
      JSON.stringify(query),
    );
  }
});

test.run();
