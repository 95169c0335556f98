import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clientKey, monthOfKey } from '../../domain/client-key.ts';

const test = suite('the key of callers');

test('a client key contains the organization and the month', () => {
  assert.is(clientKey('clients', 'org-1', '2026-11-30T23:59:59.999999'), 'clients-org-1-2026-11');
  assert.is(clientKey('visitors', 'org_2', '2026-12-01T00:00:00.000000'), 'visitors-org_2-2026-12');
});

test('the month of a client key can be read', () => {
  for (const kind of ['clients', 'visitors'] as const) {
    assert.is(monthOfKey(clientKey(kind, 'a-b-2020-01', '2026-11-30T23:59:59.999999')), '2026-11');
  }
});

test('a key of another kind is not read as a client key, whatever its name is', () => {
  const others = ['user-a-2026-11', 'check-2026-11', 'clients-2026-11', 'clients-a-2026-13', 'clients-a-2026-11-', ''];
  for (const name of others) assert.is(monthOfKey(name), null, name);
  assert.is(monthOfKey('my-clients-a-2026-11'), null);
});

test.run();
