import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findPage } from '../../../queries/pages/pages.ts';
import { readReportIncidents } from '../../../queries/reports/incidents.ts';
import { opened, scheduled } from '../../domain/incident/examples.ts';
import { PAGE, pageCreated } from '../../domain/page/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { scopeOf } from '../engine/scope.ts';

const test = suite('the incidents of a report');

const DAY = { from: '2026-11-20T00:00:00.000000', to: '2026-11-20T23:59:59.999999' };

const numbered = (count: number, { type, data }: Fact): Fact[] =>
  Array.from({ length: count }, (_, index) => {
    const incident_id = `${type}${index}`;
    return { type, data: { ...data, incident_id }, stream: `incident-${incident_id}` } as Fact;
  });

test('a report counts each incident once, even if several began in the same instant', async () => {
  const scope = scopeOf([pageCreated(), ...numbered(450, opened()), ...numbered(3, scheduled())]);
  const { count, listed } = await readReportIncidents(scope, [await findPage(scope, PAGE)], DAY, async () => undefined);
  assert.is(count, 450, 'a maintenance that has not begun does not count');
  assert.is(new Set(listed.map(({ id }) => id)).size, 450);
});

test('a report lists a limited number of incidents, newest first, and counts all of them', async () => {
  const scope = scopeOf([pageCreated(), ...numbered(2_100, opened())]);
  const { count, listed } = await readReportIncidents(scope, [await findPage(scope, PAGE)], DAY, async () => undefined);
  assert.equal([count, listed.length], [2_100, 2_000]);
  assert.ok(
    listed.every(({ started_at }, index) => index === 0 || started_at <= (listed[index - 1]?.started_at ?? '')),
  );
});

test.run();
