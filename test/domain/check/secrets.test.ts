import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCheck } from '../../../domain/check/decide.ts';
import {
  bindingTo,
  bindSecret,
  closeClaim,
  isClosedTo,
  replaceSecrets,
  unbindSecret,
} from '../../../domain/check/secrets.ts';
import { checkDecider } from '../../../domain/check/state.ts';
import type { EventOf } from '../../../domain/event-types.ts';
import { Conflict, IllegalState, NotFound } from '../../../domain/errors.ts';
import { QuotaSlotLost } from '../../../domain/quota/quota.ts';
import { specification } from '../specification.ts';
import { binding, CHECK, checkCreated, checkDeleted, newCheck, ORGANIZATION, secretsChanged } from './examples.ts';

const check = specification(checkDecider);
const test = suite('the secrets of a check');

const token = binding();
const user = binding({ id: 'binding00002', secret_id: 'secret000002', env_variable: 'USER', claim: 7 });
const SECRET = token.secret_id;

const claimClosed = (claim: number): EventOf<'CheckSecretClaimClosed'> => ({
  type: 'CheckSecretClaimClosed',
  data: { check_id: CHECK, secret_id: SECRET, claim },
});
const abandoned: EventOf<'CheckCreationAbandoned'> = { type: 'CheckCreationAbandoned', data: { check_id: CHECK } };

test('secrets are bound when a check is created or later', () => {
  check
    .given()
    .when((state) => createCheck(state, CHECK, ORGANIZATION, newCheck(), undefined, [token]))
    .then(checkCreated({}, undefined, [token]));
  check
    .given(checkCreated({}, undefined, [token]))
    .when((state) => bindSecret(state, user))
    .then(secretsChanged([token, user], [token]));
});

test('a secret is bound to a check once', () => {
  check
    .given(checkCreated({}, undefined, [token]))
    .when((state) => bindSecret(state, { ...token, id: 'binding00003', env_variable: 'OTHER', claim: 2 }))
    .throws(Conflict, 'This secret is already bound to the check.');
});

test('the secrets of a check have different environment variables', () => {
  check
    .given(checkCreated({}, undefined, [token]))
    .when((state) => bindSecret(state, { ...user, env_variable: 'TOKEN' }))
    .throws(Conflict, 'The environment variable TOKEN reads another secret of the check.');
});

test('a check has at most a hundred secrets', () => {
  const many = Array.from({ length: 100 }, (_, n) =>
    binding({ id: `binding${n}`, secret_id: `secret${n}`, env_variable: `TOKEN_${n}`, claim: n }),
  );
  check
    .given(checkCreated({}, undefined, many))
    .when((state) => bindSecret(state, token))
    .throws(IllegalState, 'A check can be bound to at most 100 secrets.');
});

test('the secrets of a check are replaced completely if they differ', () => {
  check
    .given(checkCreated({}, undefined, [token]))
    .when((state) => replaceSecrets(state, [user]))
    .then(secretsChanged([user], [token]));
  check
    .given(checkCreated({}, undefined, [token, user]))
    .when((state) => replaceSecrets(state, [token, user]))
    .thenNothing();
  check
    .given(checkCreated({}, undefined, [token]))
    .when((state) => replaceSecrets(state, []))
    .then(secretsChanged([], [token]));
});

test('the secrets of a check can be released one by one', () => {
  check
    .given(checkCreated({}, undefined, [token, user]))
    .when((state) => unbindSecret(state, SECRET))
    .then(secretsChanged([user], [token, user]));
  check
    .given(checkCreated({}, undefined, [user]))
    .when((state) => unbindSecret(state, SECRET))
    .throws(NotFound, 'There is no such binding.');
});

test('a deleted check has no secrets', () => {
  for (const decide of [
    (state: never) => bindSecret(state, token),
    (state: never) => replaceSecrets(state, []),
    (state: never) => unbindSecret(state, SECRET),
  ]) {
    check
      .given(checkCreated({}, undefined, [token]), checkDeleted)
      .when((state) => decide(state as never))
      .throws(NotFound, 'There is no such check.');
  }
});

test('a closed claim never binds a secret', () => {
  check
    .given(checkCreated())
    .when((state) => closeClaim(state, CHECK, SECRET, 3))
    .then(claimClosed(3));
  const state = check.given(checkCreated(), claimClosed(3)).state();
  assert.equal(
    [2, 3, 4].map((claim) => isClosedTo(state, SECRET, claim)),
    [true, true, false],
  );
  check
    .given(checkCreated(), claimClosed(3))
    .when((closed) => closeClaim(closed, CHECK, SECRET, 2))
    .thenNothing();
});

test("a claim can't be closed while its secret is bound, by this or another claim", () => {
  check
    .given(checkCreated({}, undefined, [token]))
    .when((state) => closeClaim(state, CHECK, SECRET, 3))
    .thenNothing();
});

test('releasing a secret closes its claim', () => {
  const state = check.given(checkCreated({}, undefined, [token]), secretsChanged([], [token])).state();
  assert.ok(isClosedTo(state, SECRET, token.claim));
  assert.is(bindingTo(state, SECRET), undefined);
  const other = check
    .given(checkCreated({}, undefined, [token]), secretsChanged([{ ...user, claim: 1 }], [token]))
    .state();
  assert.ok(isClosedTo(other, SECRET, token.claim), 'although a claim on another secret has its number');
  const renamed = { ...token, id: 'binding00003', env_variable: 'OTHER' };
  const kept = check.given(checkCreated({}, undefined, [token]), secretsChanged([renamed], [token])).state();
  assert.not(isClosedTo(kept, SECRET, token.claim));
});

test('a check is not created with a secret whose claim was closed', () => {
  check
    .given()
    .when((state) => closeClaim(state, CHECK, SECRET, 1))
    .then(abandoned);
  check
    .given(abandoned)
    .when((state) => createCheck(state, CHECK, ORGANIZATION, newCheck(), undefined, [token]))
    .throws(QuotaSlotLost);
  // The claims of an abandoned creation and those of a deleted check can't be used to create the check again.
  for (const gone of [[abandoned], [checkCreated({}, undefined, [token]), checkDeleted]]) {
    check
      .given(...gone)
      .when((state) => closeClaim(state, CHECK, SECRET, 1))
      .thenNothing();
    assert.ok(isClosedTo(check.given(...gone).state(), SECRET, 1));
  }
});

test.run();
