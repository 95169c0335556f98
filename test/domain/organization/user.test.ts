import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { evolveUser, type User, type UserEvent } from '../../../domain/organization/user.ts';
import * as facts from './examples.ts';

const folded = (...events: UserEvent[]): User | undefined =>
  events.reduce<readonly User[]>(evolveUser, []).find(({ id }) => id === facts.ANN);

const test = suite('a user of an organization');

test('is invited, and active once the invitation is accepted', () => {
  assert.is(folded(facts.invited())?.status, 'invited');
  const user = folded(facts.invited(), facts.resent, facts.joined());
  assert.equal([user?.status, user?.invitation, user?.emailVerified], ['active', 2, true]);
});

test('has the role and names that were given last', () => {
  const user = folded(facts.invited(), facts.joined(), facts.renamed, facts.promoted);
  assert.equal([user?.role, user?.firstName?.sealed, user?.lastName?.sealed], ['admin', 'Anna', 'Lee']);
});

test('can use the link of a reset until the password is changed', () => {
  assert.is(folded(facts.invited(), facts.joined(), facts.resetRequested)?.resettable, true);
  assert.is(folded(facts.invited(), facts.joined(), facts.resetRequested, facts.passwordChanged)?.resettable, false);
});

test('loses a recovery code when it is used, and the second factor with all codes when it is switched off', () => {
  const enabled = [facts.invited(), facts.joined(), facts.secondFactorEnabled, facts.recoveryCodeUsed];
  assert.equal(folded(...enabled)?.secondFactor?.recoveryCodes, ['2'.repeat(64)]);
  assert.is(folded(...enabled, facts.secondFactorDisabled)?.secondFactor, null);
});

test('has nothing to sign in with once removed, and is remembered', () => {
  const user = folded(facts.invited(), facts.joined(), facts.secondFactorEnabled, facts.userRemoved);
  assert.equal([user?.status, user?.password, user?.secondFactor], ['removed', null, null]);
  assert.is(folded(facts.invited(), facts.userRemoved, facts.userForgotten)?.forgotten, true);
});

test('that was never invited is closed to the claim on its e-mail', () => {
  const ids = { organization_id: facts.ACME, user_id: facts.ANN };
  const user = folded({ type: 'UserInvitationAbandoned', data: { ...ids, email_claim: 3 } });
  assert.equal([user?.status, user?.emailClaim], ['abandoned', 3]);
});

test.run();
