import { Type, type Static } from '@sinclair/typebox';
import { inviteWithinLimits, resendWithinLimits } from '../../../commands/organizations/invitations.ts';
import { changeProfile, changeRole, removeUser, type Invitation } from '../../../commands/organizations/users.ts';
import { NotFound } from '../../../domain/errors.ts';
import { ROLES } from '../../../domain/organization/roles.ts';
import { invitationPath } from '../../../domain/organization/user-links.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import { findUser, listUsers, decryptUser } from '../../../queries/organizations/users.ts';
import type { Scope } from '../../../queries/engine/scope.ts';
import { noContent, ok, route, type RouteResponse, type Call, type Route } from '../../route.ts';
import { choice, commaList, Id } from '../../schema.ts';
import {
  InvitationResponse,
  NewUser,
  presentProfile,
  presentUser,
  Profile,
  ProfileChange,
  User,
  USER_STATUSES,
  UserChange,
} from './schema.ts';

const PATH = '/v1/users';
const BY_ID = `${PATH}/{user_id}`;
const tag = 'Users';

const UserParams = Type.Object({ user_id: Id });

const show = async (scope: Scope, id: string): Promise<User> =>
  presentUser(await decryptUser(scope, await findUser(scope, id)));

const showOwn = async (scope: Scope, id: string): Promise<Static<typeof Profile>> =>
  presentProfile(await decryptUser(scope, await findUser(scope, id)));

const find = ({ scope, params }: { scope: Scope; params: Static<typeof UserParams> }) =>
  findUser(scope, params.user_id);

/**
 * Responds to an invitation. If the service sends no e-mail, the response contains the link, so that the inviting user
 * can pass the link on.
 */
const sent = async (
  call: Pick<Call<unknown, unknown, unknown>, 'addressOf' | 'commands' | 'context' | 'mac'>,
  { userId, invitation }: Invitation,
): Promise<RouteResponse> => {
  const { addressOf, commands, context, mac } = call;
  if (commands.bind(({ mails }) => mails)) {
    return ok(() => ({ message: 'The invitation is on its way. Its link works for 7 days.' }));
  }
  const { organizationId, now } = context;
  const path = await invitationPath({ organizationId, userId, invitation, way: 'shown' }, now, mac);
  const message = 'This service sends no e-mail. Pass the link on to the user; it works for 7 days.';
  return ok(() => ({ message, invitation_url: addressOf(path) }));
};

/** Returns the id of the signed-in user. @throws NotFound if the key belongs to no user */
const own = ({ caller }: Pick<Call<unknown, unknown, unknown>, 'caller'>): string => {
  if (caller.userId === null) throw new NotFound('The key belongs to no user.');
  return caller.userId;
};

export const userRoutes: Route[] = [
  route({
    methods: ['get'],
    path: PATH,
    summary: 'List users',
    description: 'The list is sorted newest first.',
    tag,
    access: { needs: 'users.read' },
    query: Type.Object({
      status: Type.Optional(commaList(choice(USER_STATUSES), { description: 'Default: all except `disabled`.' })),
    }),
    confidential: true,
    responses: { 200: Type.Array(User) },
    heavy: true,
    handle: ({ query, scope }) => ok(async () => (await listUsers(scope, query)).map(presentUser)),
  }),
  route({
    methods: ['get'],
    path: `${PATH}/roles`,
    summary: 'List roles',
    tag,
    access: { needs: 'users.read' },
    responses: { 200: Type.Array(Type.String()) },
    handle: () => ok(() => [...ROLES]),
  }),
  route({
    methods: ['post'],
    path: `${PATH}/invite`,
    summary: 'Invite a user',
    description: 'The invitation is sent by e-mail.',
    tag,
    access: { needs: 'users.write' },
    body: NewUser,
    confidential: true,
    oneTime: ['invitation_url'],
    responses: { 200: InvitationResponse },
    handle: async (call) => sent(call, await call.commands.bind(inviteWithinLimits)(call.body, call.context)),
  }),
  route({
    methods: ['get'],
    path: `${PATH}/profile`,
    summary: 'Get your profile',
    tag,
    access: { needs: 'account.manage' },
    confidential: true,
    responses: { 200: Profile },
    handle: (call) => ok(() => showOwn(call.scope, own(call))),
  }),
  route({
    methods: ['put', 'patch'],
    path: `${PATH}/profile`,
    summary: 'Change your profile',
    description: 'Absent fields stay unchanged.',
    tag,
    access: { needs: 'account.manage' },
    body: ProfileChange,
    confidential: true,
    responses: { 200: Profile },
    handle: async (call) => {
      const id = own(call);
      await call.commands.bind(changeProfile)(id, call.body, call.context);
      return ok(() => showOwn(call.scope, id));
    },
  }),
  route({
    methods: ['get'],
    path: BY_ID,
    summary: 'Get a user',
    tag,
    access: { needs: 'users.read' },
    params: UserParams,
    confidential: true,
    responses: { 200: User },
    handle: ({ params, scope }) => ok(() => show(scope, params.user_id)),
  }),
  route({
    methods: ['put', 'patch'],
    path: BY_ID,
    summary: 'Change the role of a user',
    description: 'Other fields of a user can only be changed by that user.',
    tag,
    access: { needs: 'users.write' },
    params: UserParams,
    body: UserChange,
    confidential: true,
    responses: { 200: User },
    find,
    handle: async ({ params: { user_id }, body, commands, context, scope }) => {
      if (body.role !== undefined) await commands.bind(changeRole)(user_id, body.role, context);
      return ok(() => show(scope, user_id));
    },
  }),
  route({
    methods: ['delete'],
    path: BY_ID,
    summary: 'Remove a user',
    description: 'Sessions and API keys of the user end. The name stays in the audit log.',
    tag,
    access: { needs: 'users.write' },
    params: UserParams,
    responses: { 204: null },
    waitsFor: [organizations.name],
    find,
    handle: async ({ params: { user_id }, commands, context }) => {
      await commands.bind(removeUser)(user_id, context);
      return noContent();
    },
  }),
  route({
    methods: ['post'],
    path: `${BY_ID}/resend-invitation`,
    summary: 'Resend an invitation',
    description: 'The previous link stops working.',
    tag,
    access: { needs: 'users.write' },
    params: UserParams,
    confidential: true,
    oneTime: ['invitation_url'],
    responses: { 200: InvitationResponse },
    find,
    handle: async (call) => sent(call, await call.commands.bind(resendWithinLimits)(call.params.user_id, call.context)),
  }),
];
