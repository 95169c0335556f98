import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NotFound } from '../../../domain/errors.ts';
import { findPage, listPages, pageOfDomain, showPage, visitedPageOfDomain } from '../../../queries/pages/pages.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import type { Visit } from '../../../queries/pages/visits.ts';
import { opened } from '../../domain/incident/examples.ts';
import { PAGE, pageCreated, pageDeleted } from '../../domain/page/examples.ts';
import { rejects } from '../../rejects.ts';
import { VISIT, OTHER_ORGANIZATION, scopeOf } from '../engine/scope.ts';

const test = suite('queries of pages');

const pageOf = (id: string, subdomain: string, fields: Parameters<typeof pageCreated>[0] = {}) => {
  const { type, data } = pageCreated({ name: subdomain, subdomain, ...fields });
  return { type, data: { ...data, page_id: id }, stream: `page-${id}` };
};
/** Returns a visit from an address. */
const from = (scope: Scope, clientAddress: string | null): Visit => ({ ...scope, ...VISIT, clientAddress });

const FOREIGN = {
  ...pageOf('page00000009', 'theirs', { domain: 'status.theirs.example' }),
  metadata: { organization_id: OTHER_ORGANIZATION },
};

test('a page of another organization is not found', async () => {
  const scope = scopeOf([pageCreated(), FOREIGN]);
  assert.is((await findPage(scope, PAGE)).id, PAGE);
  await rejects(findPage(scope, 'page00000009'), NotFound, 'There is no such page.');
  await rejects(pageOfDomain(scope, 'theirs'), NotFound, 'No page has this domain.');
  assert.is((await findPage({ ...scope, organizationId: OTHER_ORGANIZATION }, 'page00000009')).name, 'theirs');
});

test('a deleted page and the pages of an unknown organization are not found', async () => {
  await rejects(findPage(scopeOf([pageCreated(), pageDeleted]), PAGE), NotFound);
  await rejects(findPage(scopeOf([pageCreated()], { organizationId: '' }), PAGE), NotFound);
});

test('the activity score of a page counts the incident updates of thirty days', async () => {
  const facts = [pageCreated(), opened()];
  assert.is((await showPage(scopeOf(facts), PAGE)).activity_score, 1);
  const later = scopeOf(facts, { now: '2026-12-21T00:00:00.000000' });
  assert.is((await showPage(later, PAGE)).activity_score, 0);
});

test('the status pages of an organization are listed by name with pagination', async () => {
  const facts = [pageOf('page00000001', 'beta'), pageOf('page00000002', 'alpha'), pageOf('page00000003', 'gamma')];
  const { items, total } = await listPages(scopeOf([...facts, FOREIGN]), { page: 1, size: 2 });
  assert.equal(
    items.map(({ name }) => name),
    ['alpha', 'beta'],
  );
  assert.is(total, 3);
});

test('a visitor finds the page of any organization, by custom domain before subdomain', async () => {
  const scope = scopeOf([pageOf(PAGE, 'status'), FOREIGN], { organizationId: '' });
  assert.is((await visitedPageOfDomain(from(scope, null), 'STATUS.theirs.example')).id, 'page00000009');
  assert.is((await visitedPageOfDomain(from(scope, null), 'status')).id, PAGE);
});

test('a visitor does not find a page that is hidden from them', async () => {
  const scope = scopeOf([
    pageOf('page00000001', 'team', { viewers_must_be_team_members: true }),
    pageOf('page00000002', 'office', { ip_restrictions: '192.0.2.0/24' }),
  ]);
  await rejects(visitedPageOfDomain(from(scope, '192.0.2.7'), 'team'), NotFound);
  await rejects(visitedPageOfDomain(from(scope, '198.51.100.7'), 'office'), NotFound);
  await rejects(visitedPageOfDomain(from(scope, null), 'office'), NotFound);
  assert.is((await visitedPageOfDomain(from(scope, '192.0.2.7'), 'office')).name, 'office');
});

test.run();
