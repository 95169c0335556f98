import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Conflict, IllegalState, Invalid, NotFound } from '../../../domain/errors.ts';
import * as decide from '../../../domain/runner/decide.ts';
import { runnerDecider } from '../../../domain/runner/state.ts';
import { hashOfRunnerToken, isRunnerToken } from '../../../domain/runner/token.ts';
import { specification } from '../specification.ts';
import {
  NEXT_HASH,
  RUNNER,
  runnerConnected,
  runnerCreated,
  runnerDisconnected,
  runnerReleased,
  runnerRenamed,
  runnerRevoked,
  THIRD_HASH,
  TOKEN_HASH,
  tokenConfirmed,
  tokenRotated,
} from './examples.ts';

const NOW = '2026-11-20T15:00:00.000000';
const A_DAY_LATER = '2026-11-21T15:00:00.000000';
const runner = specification(runnerDecider);
const test = suite('a runner');

const input = { id: RUNNER, name: ' Office ', region: `private-${RUNNER}`, private: true, tokenHash: TOKEN_HASH };

test('a runner is created with a name, a region and the hash of its token', () => {
  runner
    .given()
    .when((state) => decide.createRunner(state, input))
    .then(runnerCreated());
  runner
    .given(runnerCreated())
    .when((state) => decide.createRunner(state, input))
    .throws(Conflict);
  runner
    .given()
    .when((state) => decide.createRunner(state, { ...input, name: ' ' }))
    .throws(Invalid);
});

test('a runner is renamed', () => {
  runner
    .given(runnerCreated())
    .when((state) => decide.renameRunner(state, 'Cellar'))
    .then(runnerRenamed('Cellar'));
  runner
    .given(runnerCreated(), runnerRenamed('Cellar'))
    .when((state) => decide.renameRunner(state, ' Cellar'))
    .thenNothing();
});

test('rotating the token of a runner keeps the token in use for a day', () => {
  runner
    .given(runnerCreated())
    .when((state) => decide.rotateToken(state, NEXT_HASH, NOW))
    .then(tokenRotated(A_DAY_LATER));
});

test('rotating the token of a runner again before the new token was used keeps the token in use', () => {
  runner
    .given(runnerCreated(), tokenRotated('2026-11-20T15:00:01.000000'))
    .when((state) => decide.rotateToken(state, THIRD_HASH, NOW))
    .then(tokenRotated(A_DAY_LATER, THIRD_HASH, TOKEN_HASH));
});

test('a runner token invalidated by a rotation is not accepted again', () => {
  runner
    .given(runnerCreated(), tokenRotated(NOW))
    .when((state) => decide.rotateToken(state, THIRD_HASH, NOW))
    .then(tokenRotated(A_DAY_LATER, THIRD_HASH, NEXT_HASH));
  runner
    .given(runnerCreated(), tokenRotated(A_DAY_LATER), tokenConfirmed)
    .when((state) => decide.rotateToken(state, THIRD_HASH, NOW))
    .then(tokenRotated(A_DAY_LATER, THIRD_HASH, NEXT_HASH));
});

test('the first use of a new runner token invalidates the former token', () => {
  const rotated = [runnerCreated(), tokenRotated(A_DAY_LATER)];
  runner
    .given(...rotated)
    .when((state) => decide.confirmToken(state, NEXT_HASH))
    .then(tokenConfirmed);
  runner
    .given(...rotated)
    .when((state) => decide.confirmToken(state, TOKEN_HASH))
    .thenNothing();
  runner
    .given(...rotated, tokenConfirmed)
    .when((state) => decide.confirmToken(state, NEXT_HASH))
    .thenNothing();
  runner
    .given(runnerCreated())
    .when((state) => decide.confirmToken(state, TOKEN_HASH))
    .thenNothing();
});

test('a runner records each connecting process once, and again when the process has another release or other check types, or reconnects', () => {
  const one = { instance: 'one', release: '0.1.0', types: ['web', 'tcp', 'web'] };
  runner
    .given(runnerCreated())
    .when((state) => decide.connect(state, one))
    .then(runnerConnected());
  runner
    .given(runnerCreated(), runnerConnected(), runnerConnected('two'))
    .when((state) => decide.connect(state, one))
    .thenNothing();
  runner
    .given(runnerCreated(), runnerConnected())
    .when((state) => decide.connect(state, { ...one, types: ['web'] }))
    .then(runnerConnected('one', { types: ['web'] }));
  runner
    .given(runnerCreated(), runnerConnected(), runnerDisconnected())
    .when((state) => decide.connect(state, one))
    .then(runnerConnected());
});

test('the end of a runner connection is recorded once, even after the runner was revoked', () => {
  runner
    .given(runnerCreated(), runnerConnected(), runnerRevoked)
    .when((state) => decide.disconnect(state, 'one', 'revoked'))
    .then(runnerDisconnected('one', 'revoked'));
  runner
    .given(runnerCreated(), runnerConnected(), runnerDisconnected())
    .when((state) => decide.disconnect(state, 'one', 'silent'))
    .thenNothing();
});

test('a runner stores a limited number of connections', () => {
  const many = Array.from({ length: 150 }, (_, number) => runnerConnected(number.toString()));
  const state = runner.given(runnerCreated(), ...many).state();
  assert.ok(state.status === 'live' && state.connections.size === 100 && state.connections.has('149'));
});

test("a revoked runner can't be changed, and its processes can't connect", () => {
  runner
    .given(runnerCreated())
    .when((state) => decide.revokeRunner(state))
    .then(runnerRevoked);
  const revoked = runner.given(runnerCreated(), runnerRevoked);
  const sentence = 'This runner is revoked. Create another one.';
  revoked.when((state) => decide.revokeRunner(state)).throws(NotFound, sentence);
  revoked.when((state) => decide.renameRunner(state, 'Cellar')).throws(NotFound, sentence);
  revoked.when((state) => decide.rotateToken(state, NEXT_HASH, NOW)).throws(NotFound, sentence);
  revoked
    .when((state) => decide.connect(state, { instance: 'one', release: '0.1.0', types: [] }))
    .throws(NotFound, sentence);
  revoked.when((state) => decide.confirmToken(state, TOKEN_HASH)).thenNothing();
});

test('a runner releases its region only when it is revoked', () => {
  runner
    .given(runnerCreated({ region: 'EU, West', private: false }))
    .when((state) => decide.releaseRunner(state))
    .throws(IllegalState, 'The runner "Office" (runner000001) is not revoked and serves EU, West. Revoke it first.');
  runner
    .given(runnerCreated(), runnerRevoked)
    .when((state) => decide.releaseRunner(state))
    .then(runnerReleased);
  runner
    .given(runnerCreated(), runnerRevoked, runnerReleased)
    .when((state) => decide.releaseRunner(state))
    .thenNothing();
});

test('a nonexistent runner is not found by any command', () => {
  for (const decided of [
    (state: Parameters<typeof decide.revokeRunner>[0]) => decide.revokeRunner(state),
    (state: Parameters<typeof decide.revokeRunner>[0]) => decide.releaseRunner(state),
    (state: Parameters<typeof decide.revokeRunner>[0]) => decide.rotateToken(state, NEXT_HASH, NOW),
    (state: Parameters<typeof decide.revokeRunner>[0]) => decide.disconnect(state, 'one', 'silent'),
  ]) {
    runner.given().when(decided).throws(NotFound, 'There is no such runner.');
  }
});

test('a runner token has 32 bytes, and only its hash is stored', () => {
  assert.ok(isRunnerToken(`upr_${Buffer.alloc(32).toString('base64url')}`));
  for (const text of ['', 'upr_', `upt_${'a'.repeat(43)}`, `upr_${'a'.repeat(42)}`, `upr_${'a'.repeat(43)}\n`]) {
    assert.not(isRunnerToken(text), text);
  }
  assert.match(hashOfRunnerToken('upr_'), /^[0-9a-f]{64}$/);
});

test.run();
