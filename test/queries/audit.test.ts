import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLIENT_ADDRESS, USER_AGENT } from '../../domain/event.ts';
import { listAudit } from '../../queries/audit.ts';
import { createMemoryKeys } from '../../stores/keys/memory.ts';
import { FORGOTTEN } from '../../stores/keys/port.ts';
import { CHECK, checkCreated } from '../domain/check/examples.ts';
import { pageCreated } from '../domain/page/examples.ts';
import type { Fact } from '../projections/history.ts';
import { ORGANIZATION, OTHER_ORGANIZATION, scopeOf } from './scope.ts';

const test = suite('what is asked of the audit log');

const ALL = { page: 1, size: 100 };
const actionsOf = ({ items }: { items: readonly { action: string }[] }): string[] => items.map(({ action }) => action);

test('it tells what the organization did, the newest first, by any of its filters', async () => {
  const scope = scopeOf([pageCreated(), checkCreated()]);
  assert.equal(actionsOf(await listAudit(scope, {}, ALL)), ['check.created', 'page.created']);
  assert.equal(actionsOf(await listAudit(scope, { resource_type: 'page' }, ALL)), ['page.created']);
  assert.equal(actionsOf(await listAudit(scope, { resource_id: CHECK }, ALL)), ['check.created']);
  assert.equal(actionsOf(await listAudit(scope, { actor_id: 'nobody' }, ALL)), []);
  assert.equal(actionsOf(await listAudit(scope, { end_date: '2026-11-20T15:00:00.000000' }, ALL)), ['page.created']);
  assert.equal(await listAudit({ ...scope, organizationId: OTHER_ORGANIZATION }, {}, ALL), { items: [], total: 0 });
});

test('where a request came from is opened, and stays forgotten once it is', async () => {
  const keys = createMemoryKeys();
  const seal = (text: string, field: string) =>
    keys.seal('api_key-key000000001', text, { organizationId: ORGANIZATION, field });
  const fact: Fact = {
    ...pageCreated(),
    metadata: {
      client_address: await seal('192.0.2.7', CLIENT_ADDRESS),
      user_agent: await seal('curl', USER_AGENT),
    },
  };
  const scope = scopeOf([fact], { keys });
  const from = async () => {
    const [entry] = (await listAudit(scope, {}, ALL)).items;
    return [entry?.ip_address, entry?.user_agent];
  };
  assert.equal(await from(), ['192.0.2.7', 'curl']);
  await keys.forget('api_key-key000000001');
  assert.equal(await from(), [FORGOTTEN, FORGOTTEN]);
});

test('of the parameters of a check it opens what is no secret', async () => {
  const keys = createMemoryKeys();
  const seal = (text: string, name: string) =>
    keys.seal(`check-${CHECK}`, text, { organizationId: ORGANIZATION, field: `parameters.http_request.${name}` });
  const http_request = { username: await seal('bob', 'username'), password: await seal('hush', 'password') };
  const [entry] = (await listAudit(scopeOf([checkCreated({ parameters: { http_request } })], { keys }), {}, ALL)).items;
  const shown = JSON.stringify(entry?.changes);
  assert.match(shown, 'bob');
  assert.not.match(shown, 'hush');
});

test.run();
