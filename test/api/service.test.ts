import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startService } from './service.ts';

const test = suite('the API as a whole');
const service = await startService();
test.after(() => service.stop());

test('every part is ready', async () => {
  const reply = await service.request('GET', '/health/ready', { key: null });
  assert.is(reply.status, 200, reply.text);
});

test('keys of both organizations and of every role open the door, and no other', async () => {
  for (const { keys } of [service.first, service.second]) {
    for (const [role, key] of Object.entries(keys)) {
      const reply = await service.request('GET', '/v1/audit', { key });
      assert.is(reply.status, role === 'admin' || role === 'billing' ? 200 : 403, role);
    }
  }
  assert.is((await service.request('GET', '/v1/audit', { key: 'no such key' })).status, 401);
});

test.run();
