import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { KEY_OF, serveNotes } from './notes.ts';

const test = suite('the rate limit counts by key');

const served = await serveNotes({ rateLimit: 2 });
const status = async (key: string): Promise<number> =>
  (await served.bare({ path: '/v1/notes', headers: { authorization: key } })).status;
test.after(() => served.stop());

test('more requests than a second allows are 429 with Retry-After, until time has passed', async () => {
  assert.equal([await status(KEY_OF.viewer), await status(KEY_OF.viewer)], [200, 200]);
  const refused = await served.bare({ path: '/v1/notes', headers: { authorization: KEY_OF.viewer } });
  assert.is(refused.status, 429);
  assert.is(refused.headers['retry-after'], '1');
  assert.is(await status(KEY_OF.editor), 200);
  served.time.now += 500;
  assert.is(await status(KEY_OF.viewer), 200);
  assert.is(await status(KEY_OF.viewer), 429);
});

test.run();
