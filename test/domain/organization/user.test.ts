import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { evolveUser, type User, type UserEvent } from '../../../domain/organization/user.ts';
import * as facts from './examples.ts';

const folded = (...events: UserEvent[]): User | undefined =>
  events.reduce<readonly User[]>(evolveUser, []).find(({ id }) => id === facts.ANN);

const test = suite('a user of an organization');

test('a user is invited, and active after accepting the invitation', () => {
  assert.is(folded(facts.invited())?.status, 'invited');
  const user = folded(facts.invited(), facts.resent, facts.joined());
  assert.equal([user?.status, user?.invitation, user?.emailVerified], ['active', 2, true]);
});

test('a user has the role and names that were given most recently', () => {
  const user = folded(facts.invited(), facts.joined(), facts.renamed, facts.promoted);
  assert.equal([user?.role, user?.firstName?.sealed, user?.lastName?.sealed], ['admin', 'Anna', 'Lee']);
});

test('a user can use a reset link until the password is changed', () => {
  assert.is(folded(facts.invited(), facts.joined(), facts.resetRequested)?.resettable, true);
  assert.is(folded(facts.invited(), facts.joined(), facts.resetRequested, facts.passwordChanged)?.resettable, false);
});

test('a used recovery code is removed, and disabling the second factor removes all recovery codes', () => {
  const enabled = [facts.invited(), facts.joined(), facts.secondFactorEnabled, facts.recoveryCodeUsed];
  assert.equal(folded(...enabled)?.secondFactor?.recoveryCodes, ['2'.repeat(64)]);
  assert.is(folded(...enabled, facts.secondFactorDisabled)?.secondFactor, null);
});

test("a removed user can't sign in and remains recorded", () => {
  const user = folded(facts.invited(), facts.joined(), facts.secondFactorEnabled, facts.userRemoved);
  assert.equal([user?.status, user?.password, user?.secondFactor], ['removed', null, null]);
  assert.is(folded(facts.invited(), facts.userRemoved, facts.userForgotten)?.forgotten, true);
});

test('a user whose invitation was abandoned has the status abandoned, with the closed claim on the e-mail address', () => {
  const ids = { organization_id: facts.ACME, user_id: facts.ANN };
  const user = folded({ type: 'UserInvitationAbandoned', data: { ...ids, email_claim: 3 } });
  assert.equal([user?.status, user?.emailClaim], ['abandoned', 3]);
});

test.run();
