import { createHmac } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createPositionTokens } from '../../../../api/v1/events/position-tokens.ts';

const test = suite('position tokens');

const macUnder =
  (key: string) =>
  async (kind: string, text: string): Promise<string> =>
    createHmac('sha256', key).update(`${kind} ${text}`).digest('base64url');

const PLACE = { position: 4_711n, mark: 0xdeadbeef };

test('a position token can be read by any process with the same keys', async () => {
  const token = await createPositionTokens(macUnder('key')).encrypt('acme', PLACE);
  assert.match(token, /^[\w-]{22}$/);
  assert.equal(await createPositionTokens(macUnder('key')).decrypt('acme', token), PLACE);
});

test('a position token is invalid with other keys, for other organizations, or if it was altered', async () => {
  const tokens = createPositionTokens(macUnder('key'));
  const token = await tokens.encrypt('acme', PLACE);
  assert.is(await createPositionTokens(macUnder('other')).decrypt('acme', token), null);
  assert.is(await tokens.decrypt('other', token), null);
  assert.is(await tokens.decrypt('acme', `${token.slice(0, 5)}${token[5] === 'A' ? 'B' : 'A'}${token.slice(6)}`), null);
  for (const text of ['', '4711', 'x'.repeat(22), `${token}A`, 'ä'.repeat(22)]) {
    assert.is(await tokens.decrypt('acme', text), null);
  }
});

test('tokens of adjacent positions look unrelated', async () => {
  const tokens = createPositionTokens(macUnder('key'));
  const [one, next] = [
    await tokens.encrypt('acme', PLACE),
    await tokens.encrypt('acme', { ...PLACE, position: 4_712n }),
  ];
  const alike = Array.from(one).filter((letter, index) => letter === next[index]).length;
  assert.ok(alike < 8, `${one} ${next}`);
});

test('position tokens can be created as soon as the keys are available', async () => {
  let calls = 0;
  const tokens = createPositionTokens(async (kind, text) => {
    calls += 1;
    if (calls === 1) throw new Error('not yet');
    return macUnder('key')(kind, text);
  });
  await tokens.encrypt('acme', PLACE).then(assert.unreachable, () => undefined);
  await tokens.encrypt('acme', PLACE);
  await tokens.encrypt('acme', PLACE);
  assert.is(calls, 2);
});

test.run();
