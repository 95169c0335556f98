import { test } from 'uvu';
import { NO_GROUP } from '../../../domain/check/state.ts';
import { newPageFields } from '../../../domain/page/decide.ts';
import { emptyUsage, usage } from '../../../projections/usage/projection.ts';
import { checkRestored } from '../../domain/check/examples.ts';
import { ACME, extended, subscribed, subscriptionEnded } from '../../domain/organization/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const ORGANIZATION = 'org000000001';
const NOW = '2026-11-20T15:00:00.000000';

const check = (check_id: string) =>
  ({
    type: 'CheckCreated',
    data: {
      check_id,
      organization_id: ORGANIZATION,
      type: 'tcp',
      name: 'Port',
      active: false,
      interval: 60,
      timeout: 10,
      host: 'localhost',
      url: null,
      port: 80,
      parameters: {},
      tags: [] as string[],
      ...NO_GROUP,
      secrets: [] as [],
    },
  }) as const;
const noCheck = (check_id: string) => ({ type: 'CheckDeleted', data: { check_id } }) as const;
const again = (check_id: string) => checkRestored({ check_id, organization_id: ORGANIZATION });
const page = (page_id: string) =>
  ({
    type: 'PageCreated',
    data: { page_id, created_at: NOW, page: newPageFields({ name: 'Page', subdomain: `page-${page_id}` }), claims: {} },
  }) as const;
const noPage = (page_id: string) => ({ type: 'PageDeleted', data: { page_id, deleted_at: NOW } }) as const;

test('checks and pages are counted until they are deleted, whether or not they are active', async () => {
  const counted = projection(usage).given(check('a'), check('b'), page('c'), noCheck('a'), page('d'), noPage('c'));
  await counted.then('usage', {
    ...emptyUsage(ORGANIZATION),
    checks: 1,
    checks_position: 40,
    pages: 1,
    pages_position: 60,
  });
  await counted.then('counted', [
    { id: 'checks/b', position: 20 },
    { id: 'pages/d', position: 50 },
  ]);
});

test('a restored check counts towards the usage again', async () => {
  const counted = projection(usage).given(check('a'), noCheck('a'), again('a'));
  await counted.then('usage', { ...emptyUsage(ORGANIZATION), checks: 1, checks_position: 30 });
  await counted.then('counted', [{ id: 'checks/a', position: 30 }]);
});

test('the resources of each organization are counted separately', async () => {
  const other = { ...check('b'), metadata: { organization_id: 'org000000002' } };
  const counted = projection(usage).given(check('a'), other);
  await counted.then('usage', { ...emptyUsage('org000000002'), checks: 1, checks_position: 20 });
  await counted.then('usage', { ...emptyUsage(ORGANIZATION), checks: 1, checks_position: 10 });
});

test('the start or end of a subscription changes the plan in the usage, and an extension does not', async () => {
  const changed = projection(usage).given(subscribed, extended, subscriptionEnded);
  await changed.then('usage', { ...emptyUsage(ACME), plan_changes: 2 });
  await changed.then('changed_plans', [{ id: ACME, changed_position: 30 }]);
});

projectionRules(usage, [
  check('a'),
  page('c'),
  subscribed,
  noCheck('a'),
  again('a'),
  check('b'),
  subscriptionEnded,
  noPage('c'),
]);

test.run();
