import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { listComponents } from '../../queries/pages/components.ts';
import { listUnresolved } from '../../queries/pages/incidents.ts';
import { findPage } from '../../queries/pages/pages.ts';
import { pageToken } from '../../domain/page/access-token.ts';
import {
  tenantOfDomain,
  tenantOfOpenPage,
  tenantOfPage,
  tenantOfReachablePage,
} from '../../queries/organizations/tenants.ts';
import { readUptimeOf } from '../../queries/uptime/uptime.ts';
import { added, opened } from '../domain/incident/examples.ts';
import { PAGE, pageCreated, pageDeleted, passwordAdded, passwordUpdated } from '../domain/page/examples.ts';
import { VISIT, everyIncident, ORGANIZATION, scopeOf } from './engine/scope.ts';

const test = suite('queries of visitors in the scope of the page’s organization');

const FACTS = [pageCreated(), added('api'), added('web'), opened()];
const visit = (facts: Parameters<typeof scopeOf>[0], clientAddress: string | null = '192.0.2.7') => ({
  ...VISIT,
  read: scopeOf(facts).read,
  clientAddress,
});

test('visitors see components with their statuses, open incidents and uptime', async () => {
  const organizationId = await tenantOfPage({ page_id: PAGE }, visit(FACTS));
  assert.is(organizationId, ORGANIZATION);
  assert.is(await tenantOfDomain({ domain: 'acme' }, visit(FACTS)), ORGANIZATION);

  const scope = scopeOf(FACTS, { organizationId: organizationId ?? '', now: '2026-11-20T11:00:00.000000' });
  const page = await findPage(scope, PAGE);
  const components = await listComponents(scope, page);
  assert.equal(
    components.map(({ id, status }) => [id, status]),
    [
      ['api', 'major_outage'],
      ['web', 'operational'],
    ],
  );
  assert.equal(
    (await everyIncident(listUnresolved(scope, page))).map(({ incident, components: [first] }) => [
      incident.name,
      first?.id,
    ]),
    [['No answer', 'api']],
  );
  const uptime = await readUptimeOf(scope, page, components, {});
  assert.equal(
    uptime.map(({ major_outage }) => major_outage),
    [3_600, 0],
  );
});

test('the query for the organization of a page returns null if the visitor has no access to the page', async () => {
  const tenant = (facts: Parameters<typeof scopeOf>[0], address?: string | null) =>
    tenantOfPage({ page_id: PAGE }, visit(facts, address));
  assert.is(await tenant([pageCreated({ viewers_must_be_team_members: true })]), null);
  assert.is(await tenant([pageCreated({ ip_restrictions: '198.51.100.0/24' })]), null);
  assert.is(await tenant([pageCreated({ ip_restrictions: '192.0.2.0/24' })], null), null);
  assert.is(await tenant([pageCreated(), pageDeleted]), null);
  assert.is(await tenant([]), null);
  assert.is(await tenant([pageCreated({ ip_restrictions: '192.0.2.0/24' })]), ORGANIZATION);
});

test('a page with restricted access does not count as open, even for visitors who have access', async () => {
  const tenant = (facts: Parameters<typeof scopeOf>[0]) => tenantOfOpenPage({ page_id: PAGE }, visit(facts));
  assert.is(await tenant([pageCreated()]), ORGANIZATION);
  assert.is(await tenant([pageCreated({ ip_restrictions: '192.0.2.0/24' })]), null);
  assert.is(await tenant([pageCreated({ viewers_must_be_team_members: true })]), null);
});

test('a page with a password is shown only to visitors with the token of the page, but others can reach the password form', async () => {
  const facts = [pageCreated(), passwordAdded('one')];
  const password = { id: 'one', active: true, expires_at: null, revision: 1 };
  const opened = { organizationId: ORGANIZATION, pageId: PAGE, password };
  const { token: credential } = await pageToken(opened, VISIT.now, VISIT.mac);
  const path = { page_id: PAGE };
  const shows = { ...visit(facts), credential };
  assert.is(await tenantOfPage(path, visit(facts)), null);
  assert.is(await tenantOfPage(path, shows), ORGANIZATION);
  assert.is(await tenantOfDomain({ domain: 'acme' }, shows), ORGANIZATION);
  assert.is(await tenantOfReachablePage(path, visit(facts)), ORGANIZATION);
  assert.is(await tenantOfOpenPage(path, visit(facts)), null);

  const changed = [...facts, passwordUpdated('one', { active: false }, { active: true })];
  const on = passwordUpdated('one', { active: true }, { active: false });
  assert.is(await tenantOfPage(path, { ...visit([...changed, on]), credential }), null);
  assert.is(await tenantOfPage(path, visit(changed)), ORGANIZATION);

  const restricted = [pageCreated({ ip_restrictions: '198.51.100.0/24' }), passwordAdded('one')];
  assert.is(await tenantOfPage(path, { ...visit(restricted), credential }), null);
  assert.is(await tenantOfReachablePage(path, visit(restricted)), null);
});

test.run();
