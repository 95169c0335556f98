import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { IllegalState } from '../../../domain/errors.ts';
import type { ReportSummary } from '../../../domain/report/events.ts';
import type { ReportDocument } from '../../../projections/reports/projection.ts';
import { readReportContent } from '../../../queries/reports/content.ts';
import { checkCreated, wentDown, recovered } from '../../domain/check/examples.ts';
import { opened } from '../../domain/incident/examples.ts';
import { componentAdded, PAGE, pageCreated } from '../../domain/page/examples.ts';
import { REPORT_ID, reportFields } from '../../domain/report/examples.ts';
import type { Fact } from '../../projections/history.ts';
import { rejects } from '../../rejects.ts';
import { ORGANIZATION, scopeOf } from '../engine/scope.ts';
import { HOUR_SECONDS } from '../../../domain/time.ts';

const test = suite('the content of a report');

const on = (clock: string): string => `2026-11-20T${clock}:00.000000`;

const organization = {
  type: 'OrganizationCreated',
  data: { organization_id: ORGANIZATION, name: 'Acme' },
} as unknown as Fact;

const check = (check_id: string, ...downs: [string, string | null][]): Fact[] => checkWithTags(check_id, [], ...downs);

const checkWithTags = (check_id: string, tags: string[], ...downs: [string, string | null][]): Fact[] => {
  const stream = `check-${check_id}`;
  const { type, data } = checkCreated({ name: check_id, tags });
  const created = { type, data: { ...data, check_id }, stream } as Fact;
  return [
    created,
    ...downs.flatMap(([from, to]) => [
      { ...wentDown({ check_id, result_id: `${check_id} ${from}`, at: on(from) }), stream },
      ...(to === null ? [] : [{ ...recovered({ check_id, result_id: `${check_id} ${to}`, at: on(to) }), stream }]),
    ]),
  ];
};

const incident = (incident_id: string, from: string): Fact => {
  const { type, data } = opened({ created_at: on(from) });
  return { type, data: { ...data, incident_id, created_at: on(from) }, stream: `incident-${incident_id}` };
};

const summaryOf = async (facts: Fact[], fields: Partial<ReportDocument> = {}): Promise<ReportSummary> => {
  const report = {
    ...reportFields({
      report_type: 'incidents',
      period_start: on('00:00'),
      period_end: '2026-11-20T23:59:59.999999',
    }),
    id: REPORT_ID,
    ...fields,
  } as ReportDocument;
  const scope = scopeOf([organization, ...facts], { now: on('16:00') });
  return (await readReportContent(scope, report, async () => undefined)).summary;
};

test('a report counts a period once if several checks were down in it', async () => {
  const facts = [
    ...check('check0000001', ['10:00', '12:00'], ['14:00', '15:00']),
    ...check('check0000002', ['11:00', '13:00']),
  ];
  const { outages, downtime } = await summaryOf(facts);
  assert.equal([outages, downtime], [3, 4 * HOUR_SECONDS]);
  assert.is((await summaryOf(facts, { report_type: 'uptime' })).downtime, 4 * HOUR_SECONDS);
  assert.is((await summaryOf(facts, { period_start: on('11:30'), period_end: on('14:29') })).downtime, 119 * 60);
});

test('a report counts a period once if several incidents were open and checks were down in it', async () => {
  const facts = [pageCreated(), incident('one', '10:00'), incident('two', '12:00')];
  const { incidents, downtime } = await summaryOf(facts);
  assert.equal([incidents, downtime], [2, 6 * HOUR_SECONDS]);
  assert.is((await summaryOf([...facts, ...check('check0000001', ['09:00', '11:00'])])).downtime, 7 * HOUR_SECONDS);
  assert.is((await summaryOf([...facts, ...check('check0000001', ['15:00', null])])).downtime, 6 * HOUR_SECONDS);
});

const TAGGED = [
  ...checkWithTags('check0000001', ['prod'], ['10:00', '11:00']),
  ...checkWithTags('check0000002', ['eu', 'prod'], ['12:00', '13:00']),
  ...checkWithTags('check0000003', ['eu'], ['14:00', '15:00']),
];

test('a report on a tag covers all checks with the tag', async () => {
  const contentOf = async (tag: string, facts = TAGGED) => {
    const { checks, downtime } = await summaryOf(facts, { report_type: 'uptime', tag });
    return [checks, downtime];
  };
  assert.equal(await contentOf('prod'), [2, 2 * HOUR_SECONDS]);
  assert.equal(await contentOf('us'), [0, 0]);
  const gone = { type: 'CheckDeleted', data: { check_id: 'check0000001' }, stream: 'check-check0000001' } as Fact;
  assert.equal(await contentOf('prod', [...TAGGED, gone]), [1, HOUR_SECONDS]);
});

test('a report on a page covers the checks with the tags of its components, each once', async () => {
  const facts = [
    ...TAGGED,
    pageCreated(),
    componentAdded('one', { check_tag: 'prod' }),
    componentAdded('other', { check_id: 'check0000002' }),
  ];
  const pageContent = async (fields: Partial<ReportDocument>) =>
    (await summaryOf(facts, { report_type: 'uptime', page_id: PAGE, ...fields })).checks;
  assert.is(await pageContent({}), 2);
  assert.is(await pageContent({ tag: 'eu' }), 2);
  assert.is(await pageContent({ check_ids: ['check0000003'] }), 1);
});

test('a report on a tag of more than 1,000 checks is refused', async () => {
  const facts = Array.from({ length: 1_001 }, (_, n) =>
    checkWithTags(`check${n.toString().padStart(7, '0')}`, ['prod']),
  );
  await rejects(summaryOf(facts.flat(), { tag: 'prod' }), IllegalState);
});

test.run();
