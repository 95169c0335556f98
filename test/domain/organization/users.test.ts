import { suite } from 'uvu';
import { Conflict, Forbidden, IllegalState, Invalid, NotFound } from '../../../domain/errors.ts';
import type { OrganizationEvent } from '../../../domain/organization/events.ts';
import { plansOf, SELF_HOSTED, type Plans } from '../../../domain/organization/plans.ts';
import { organizationDecider } from '../../../domain/organization/state.ts';
import {
  abandonInvitation,
  acceptInvitation,
  changeProfile,
  changeRole,
  createUser,
  EmailClaimLost,
  forgetUser,
  inviteUser,
  removeUser,
  requireGrantable,
  resendInvitation,
  type NewUser,
} from '../../../domain/organization/users.ts';
import { systemActor } from '../../../domain/system-event.ts';
import { specification } from '../specification.ts';
import { rejects } from '../../rejects.ts';
import { ACME, ANN, invited, joined, promoted, resent, sealedOf, userForgotten, userRemoved } from './examples.ts';

const BOB = 'user00000bob';
const created: OrganizationEvent = { type: 'OrganizationCreated', data: { organization_id: ACME, name: 'Acme' } };
const bob = { user_id: BOB, email_key: 'key of bob@example.com' };

const input = (changes: Partial<NewUser> = {}): NewUser => ({
  id: ANN,
  email: sealedOf('ann@example.com'),
  emailKey: 'key of ann@example.com',
  emailClaim: 1,
  role: 'editor',
  ...changes,
});
const joining = {
  firstName: sealedOf('Ann'),
  lastName: sealedOf('Lee'),
  password: sealedOf('$argon2id$v=19$m=19456,t=2,p=1$salt$hash'),
  emailVerified: true,
};
const abandoned = (claim: number): OrganizationEvent => ({
  type: 'UserInvitationAbandoned',
  data: { organization_id: ACME, user_id: ANN, email_claim: claim },
});
const oneUser: Plans = plansOf(
  [{ ...SELF_HOSTED.default, name: 'Small', limits: { ...SELF_HOSTED.default.limits, users: 1 } }],
  SELF_HOSTED.default.id,
);

const organization = specification(organizationDecider);
const test = suite('the users of an organization');

test('users can only be invited with an existing role', () => {
  organization
    .given(created)
    .when((it) => inviteUser(it, input(), SELF_HOSTED))
    .then(invited());
  organization
    .given(created)
    .when((it) => inviteUser(it, input({ role: 'owner' }), SELF_HOSTED))
    .throws(Invalid);
  organization
    .given()
    .when((it) => inviteUser(it, input(), SELF_HOSTED))
    .throws(NotFound);
});

test('an organization has at most as many users as the plan allows, including invited users, and a removed user makes room', () => {
  const full = organization.given(created, invited(bob));
  const refusal = 'The plan "Small" allows 1 user, and the organization already has that many.';
  full.when((it) => inviteUser(it, input(), oneUser)).throws(Forbidden, refusal);
  full.when((it) => createUser(it, input(), joining, oneUser)).throws(Forbidden, refusal);
  const left: OrganizationEvent = { type: 'UserRemoved', data: { organization_id: ACME, user_id: BOB } };
  organization
    .given(created, invited(bob), left)
    .when((it) => inviteUser(it, input(), oneUser))
    .then(invited());
});

test('users created by the operator are active immediately', () => {
  organization
    .given(created)
    .when((it) => createUser(it, input(), joining, SELF_HOSTED))
    .then(invited(), joined());
});

test('before an invitation is recorded, it can be abandoned, which closes its claim on the e-mail address, and the user can then be invited with a later claim', () => {
  organization
    .given(created)
    .when((it) => abandonInvitation(it, ANN, 1))
    .then(abandoned(1));
  const closed = organization.given(created, abandoned(1));
  closed.when((it) => abandonInvitation(it, ANN, 1)).thenNothing();
  closed.when((it) => inviteUser(it, input(), SELF_HOSTED)).throws(EmailClaimLost);
  closed.when((it) => inviteUser(it, input({ emailClaim: 3 }), SELF_HOSTED)).then(invited({ email_claim: 3 }));
});

test('the invitation of a user who was invited or removed can not be abandoned', () => {
  organization
    .given(created, invited())
    .when((it) => abandonInvitation(it, ANN, 5))
    .thenNothing();
  organization
    .given(created, invited(), joined(), userRemoved)
    .when((it) => abandonInvitation(it, ANN, 5))
    .thenNothing();
});

test('a user joins once, and only with the newest invitation', () => {
  const first = { userId: ANN, invitation: 1 };
  organization
    .given(created, invited())
    .when((it) => acceptInvitation(it, first, joining))
    .then(joined());
  const again = organization.given(created, invited(), resent);
  again.when((it) => resendInvitation(it, ANN)).then({ ...resent, data: { ...resent.data, invitation: 3 } });
  again.when((it) => acceptInvitation(it, first, joining)).throws(Invalid);
  again.when((it) => acceptInvitation(it, { userId: ANN, invitation: 2 }, joining)).then(joined());
  const there = organization.given(created, invited(), joined());
  there.when((it) => acceptInvitation(it, first, joining)).throws(Invalid);
  there.when((it) => resendInvitation(it, ANN)).throws(IllegalState, 'The invitation was already accepted.');
  organization
    .given(created, invited(), userRemoved)
    .when((it) => acceptInvitation(it, first, joining))
    .throws(Invalid);
});

test("the last active admin can't be removed, demoted or forgotten", () => {
  const one = organization.given(created, invited(), joined(), promoted, invited({ ...bob, role: 'admin' }));
  for (const decide of [removeUser, forgetUser]) one.when((it) => decide(it, ANN)).throws(Conflict);
  one.when((it) => changeRole(it, ANN, 'viewer')).throws(Conflict);
  one.when((it) => changeRole(it, ANN, 'admin')).thenNothing();
  // An invited user does not count as an admin yet.
  one.when((it) => removeUser(it, BOB)).then({ ...userRemoved, data: { organization_id: ACME, user_id: BOB } });
  const two = organization.given(
    created,
    invited(),
    joined(),
    promoted,
    invited({ ...bob, role: 'admin' }),
    joined({ user_id: BOB }),
  );
  two.when((it) => removeUser(it, ANN)).then(userRemoved);
});

test('removing a user revokes the API keys of the user, and no others', () => {
  const key = (id: string, created_by: string | null): OrganizationEvent => ({
    type: 'ApiKeyCreated',
    data: {
      organization_id: ACME,
      api_key_id: id,
      name: id,
      prefix: 'upt_',
      hash: id,
      role: 'viewer',
      expires_at: null,
      origin: 'request',
      created_by,
      created_by_key: null,
      allowed_ips: [],
    },
  });
  organization
    .given(created, invited(), joined(), key('hers', ANN), key('his', BOB), key('nobody’s', null))
    .when((it) => removeUser(it, ANN))
    .then(userRemoved, { type: 'ApiKeyRevoked', data: { organization_id: ACME, api_key_id: 'hers', hash: 'hers' } });
});

test('removed users are not found, and can be forgotten once', () => {
  const gone = organization.given(created, invited(), joined(), userRemoved);
  gone.when((it) => removeUser(it, ANN)).throws(NotFound);
  gone.when((it) => changeRole(it, ANN, 'viewer')).throws(NotFound);
  gone.when((it) => resendInvitation(it, ANN)).throws(NotFound);
  gone.when((it) => forgetUser(it, ANN)).then(userForgotten);
  organization
    .given(created, invited(), joined())
    .when((it) => forgetUser(it, ANN))
    .then(userRemoved, userForgotten);
  organization
    .given(created, invited(), userRemoved, userForgotten)
    .when((it) => forgetUser(it, ANN))
    .thenNothing();
  organization
    .given(created)
    .when((it) => forgetUser(it, ANN))
    .throws(NotFound);
});

test('users change their names after they have joined', () => {
  const there = organization.given(created, invited(), joined());
  there
    .when((it) => changeProfile(it, ANN, { first_name: null }))
    .then({
      type: 'UserProfileChanged',
      data: {
        organization_id: ACME,
        user_id: ANN,
        changes: { first_name: null },
        previous: { first_name: sealedOf('Ann') },
      },
    });
  there.when((it) => changeProfile(it, ANN, {})).thenNothing();
  organization
    .given(created, invited())
    .when((it) => changeProfile(it, ANN, { last_name: null }))
    .throws(IllegalState);
});

test("users can't grant a role that they lack", async () => {
  const by = (role: string) => ({ kind: 'user', id: ANN, role }) as const;
  requireGrantable(by('admin'), 'admin');
  requireGrantable(systemActor('cli'), 'admin');
  for (const [has, gives] of [
    ['editor', 'admin'],
    ['billing', 'editor'],
    ['a later role', 'viewer'],
  ] as const)
    await rejects(
      Promise.resolve().then(() => {
        requireGrantable(by(has), gives);
      }),
      Forbidden,
    );
});

test.run();
