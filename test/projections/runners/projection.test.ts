import { suite } from 'uvu';
import { runners, type RunnerDocument } from '../../../projections/runners/projection.ts';
import { ORGANIZATION } from '../../domain/check/examples.ts';
import {
  NEXT_HASH,
  RUNNER,
  runnerConnected,
  runnerCreated,
  runnerDisconnected,
  runnerReleased,
  runnerRenamed,
  runnerRevoked,
  TOKEN_HASH,
  tokenConfirmed,
  tokenRotated,
} from '../../domain/runner/examples.ts';
import { projection, projectionRules } from '../specification.ts';

const UNTIL = '2026-11-21T15:00:00.000000';
const test = suite('the read model of runners');

const document = (fields: Partial<RunnerDocument> = {}): RunnerDocument => ({
  id: RUNNER,
  organization_id: ORGANIZATION,
  name: 'Office',
  region: `private-${RUNNER}`,
  private: true,
  created_at: '2026-11-20T15:00:00.000000',
  revoked_at: null,
  released: false,
  token_hash: TOKEN_HASH,
  former_token: null,
  last_connected: null,
  revision: 1,
  ...fields,
});

test('a runner is found by its token', async () => {
  await projection(runners).given(runnerCreated()).then('runners', document());
  await projection(runners).given(runnerCreated()).then('runner_tokens', { id: TOKEN_HASH, runner_id: RUNNER });
});

test('renaming a runner starts a new revision', () =>
  projection(runners)
    .given(runnerCreated(), runnerRenamed('Cellar'))
    .then('runners', document({ name: 'Cellar', revision: 2 })));

test('after a rotation, both tokens are stored until the new one is confirmed', async () => {
  const rotated = { token_hash: NEXT_HASH, former_token: { hash: TOKEN_HASH, until: UNTIL } };
  await projection(runners).given(runnerCreated(), tokenRotated(UNTIL)).then('runners', document(rotated));
  await projection(runners)
    .given(runnerCreated(), tokenRotated(UNTIL), tokenConfirmed)
    .then('runners', document({ token_hash: NEXT_HASH }));
});

test('the newest connection of a runner is stored', () =>
  projection(runners)
    .given(runnerCreated(), runnerConnected(), runnerDisconnected())
    .then(
      'runners',
      document({
        last_connected: {
          at: '2026-11-20T15:00:01.000000',
          instance: 'one',
          release: '0.1.0',
          types: ['tcp', 'web'],
        },
      }),
    ));

test('a revoked runner stays stored, and shows whether its region was released', async () => {
  const revoked = { revoked_at: '2026-11-20T15:00:01.000000' };
  await projection(runners).given(runnerCreated(), runnerRevoked).then('runners', document(revoked));
  await projection(runners)
    .given(runnerCreated(), runnerRevoked, runnerReleased)
    .then('runners', document({ ...revoked, released: true }));
});

test.run();

projectionRules(runners, [
  runnerCreated(),
  runnerRenamed('Cellar'),
  tokenRotated(UNTIL),
  tokenConfirmed,
  runnerConnected(),
  runnerDisconnected(),
  runnerRevoked,
  runnerReleased,
]);
