import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  abandonSecret,
  changeValue,
  ClaimRepeated,
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

test('a secret is created with a name and a sealed value', () => {
  secret
    .given()
    .when((state) => createSecret(state, input))
    .then(secretCreated());
  secret
    .given(secretCreated())
    .when((state) => createSecret(state, input))
    .throws(Conflict);
});

test('a secret whose creation was abandoned is not created', () => {
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

test('the value of a secret can be replaced, and each read of the value is recorded', () => {
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

test("a nonexistent secret can't be read, changed, claimed or deleted", () => {
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

test('the claims on a secret are numbered', () => {
  secret
    .given(secretCreated())
    .when((state) => claimSecret(state, CHECK))
    .then(secretClaimed(1));
  secret
    .given(secretCreated(), secretClaimed(1), claimReleased(1), secretClaimed(2, OTHER))
    .when((state) => claimSecret(state, CHECK))
    .then(secretClaimed(3));
});

test('the release of a claim on a secret does not release a newer claim', () => {
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

test('a secret can be deleted only when all claims on it are settled', () => {
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
    .throws(ClaimRepeated);
  secret
    .given(secretCreated(), secretClaimed(1), secretClaimed(2))
    .when((state) => deleteSecret(state, new Map([[CHECK, 1]])))
    .throws(ClaimRepeated);
});

test('a secret has the value that was set most recently', () => {
  const state = secret.given(secretCreated(), valueChanged(), valueRead).state();
  assert.equal(state.status === 'live' && state.value, sealedValue('b3RoZXI'));
});

test.run();
