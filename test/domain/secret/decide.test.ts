import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  abandonSecret,
  changeValue,
  ClaimedAgain,
  claimSecret,
  createSecret,
  deleteSecret,
  readValue,
  releaseClaim,
  SecretNameLost,
} from '../../../domain/secret/decide.ts';
import { secretDecider } from '../../../domain/secret/state.ts';
import { Conflict, NotFound } from '../../../domain/errors.ts';
import { CHECK, ORGANIZATION } from '../check/examples.ts';
import { specification } from '../specification.ts';
import {
  claimReleased,
  NAME,
  SECRET,
  sealedValue,
  secretAbandoned,
  secretClaimed,
  secretCreated,
  secretDeleted,
  valueChanged,
  valueRead,
} from './examples.ts';

const OTHER = 'check0000002';
const secret = specification(secretDecider);
const test = suite('a secret');

const input = { id: SECRET, organizationId: ORGANIZATION, name: NAME, nameClaim: 1, value: sealedValue() };

test('is created with a name and a sealed value', () => {
  secret
    .given()
    .when((state) => createSecret(state, input))
    .then(secretCreated());
  secret
    .given(secretCreated())
    .when((state) => createSecret(state, input))
    .throws(Conflict);
});

test('is never created once another one has its name', () => {
  secret
    .given()
    .when((state) => abandonSecret(state, SECRET))
    .then(secretAbandoned);
  secret
    .given(secretAbandoned)
    .when((state) => createSecret(state, input))
    .throws(SecretNameLost);
  secret
    .given(secretCreated())
    .when((state) => abandonSecret(state, SECRET))
    .thenNothing();
});

test('gets another value, and notes who reads it', () => {
  secret
    .given(secretCreated())
    .when((state) => changeValue(state, sealedValue('b3RoZXI')))
    .then(valueChanged());
  secret
    .given(secretCreated(), valueChanged())
    .when((state) => changeValue(state, sealedValue('b3RoZXI')))
    .then(valueChanged());
  secret
    .given(secretCreated())
    .when((state) => readValue(state))
    .then(valueRead);
});

test('that is not there can be neither read nor changed, claimed or deleted', () => {
  for (const facts of [[], [secretAbandoned], [secretCreated(), secretDeleted]]) {
    secret
      .given(...facts)
      .when((state) => readValue(state))
      .throws(NotFound, 'There is no such secret.');
    secret
      .given(...facts)
      .when((state) => changeValue(state, sealedValue()))
      .throws(NotFound);
    secret
      .given(...facts)
      .when((state) => claimSecret(state, CHECK))
      .throws(NotFound);
    secret
      .given(...facts)
      .when((state) => deleteSecret(state, new Map()))
      .throws(NotFound);
  }
});

test('numbers its claims', () => {
  secret
    .given(secretCreated())
    .when((state) => claimSecret(state, CHECK))
    .then(secretClaimed(1));
  secret
    .given(secretCreated(), secretClaimed(1), claimReleased(1), secretClaimed(2, OTHER))
    .when((state) => claimSecret(state, CHECK))
    .then(secretClaimed(3));
});

test('takes a claim back, but none that is newer', () => {
  secret
    .given(secretCreated(), secretClaimed(1), secretClaimed(2, OTHER))
    .when((state) => releaseClaim(state, CHECK, 1))
    .then(claimReleased(1));
  secret
    .given(secretCreated(), secretClaimed(1), secretClaimed(2))
    .when((state) => releaseClaim(state, CHECK, 1))
    .thenNothing();
  secret
    .given(secretCreated(), secretClaimed(1), secretClaimed(2))
    .when((state) => releaseClaim(state, CHECK, 2))
    .then(claimReleased(2));
  secret
    .given(secretCreated(), secretDeleted)
    .when((state) => releaseClaim(state, CHECK, 1))
    .thenNothing();
});

test('is deleted when all claims on it are settled, and not before', () => {
  secret
    .given(secretCreated())
    .when((state) => deleteSecret(state, new Map()))
    .then(secretDeleted);
  secret
    .given(secretCreated(), secretClaimed(1), secretClaimed(2, OTHER), claimReleased(2, OTHER))
    .when((state) => deleteSecret(state, new Map([[CHECK, 1]])))
    .then(secretDeleted);
  secret
    .given(secretCreated(), secretClaimed(1), secretClaimed(2, OTHER))
    .when((state) => deleteSecret(state, new Map([[CHECK, 1]])))
    .throws(ClaimedAgain);
  secret
    .given(secretCreated(), secretClaimed(1), secretClaimed(2))
    .when((state) => deleteSecret(state, new Map([[CHECK, 1]])))
    .throws(ClaimedAgain);
});

test('has the value that it was given last', () => {
  const state = secret.given(secretCreated(), valueChanged(), valueRead).state();
  assert.equal(state.status === 'live' && state.value, sealedValue('b3RoZXI'));
});

test.run();
