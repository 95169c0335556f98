import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nextChallenge, provesChallenge } from '../../../domain/subscriber/challenge.ts';

const test = suite('a challenge of a webhook');

test('the challenge of a webhook is sent immediately, then hourly for a day', () => {
  assert.is(nextChallenge(1, '2026-11-20T15:00:00.000000'), '2026-11-20T16:00:00.000000');
  assert.is(nextChallenge(24, '2026-11-21T14:00:00.000000'), '2026-11-21T15:00:00.000000');
  assert.is(nextChallenge(25, '2026-11-21T15:00:00.000000'), null);
});

const ANSWERS: readonly [body: string, proves: boolean][] = [
  ['abc-DEF_123', true],
  ['  abc-DEF_123\n', true],
  ['{"challenge":"abc-DEF_123"}', true],
  ['{"challenge":"\\u0061bc-DEF_123"}', true],
  ['<p>abc-DEF_123</p>', true],
  ['', false],
  ['ok', false],
  ['abc-def_123', false],
  ['{"challenge":null}', false],
  ['null', false],
  ['["abc"]', false],
];
for (const [body, proves] of ANSWERS) {
  test(`the challenge of a webhook ${proves ? 'is met' : 'is not met'} by the response ${JSON.stringify(body)}`, () => {
    assert.is(provesChallenge(body, 'abc-DEF_123'), proves);
  });
}

test.run();
