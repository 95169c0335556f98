import { Type } from '@sinclair/typebox';
import { createFirstUser } from '../../../commands/sign-in/first-user.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import { findUser, hasActiveUser, decryptUser } from '../../../queries/organizations/users.ts';
import { ok, route, type Route } from '../../route.ts';
import { signInOrigin } from '../login/origin.ts';
import { Password } from '../login/schema.ts';
import { NewUser, presentUser } from '../users/schema.ts';
import { sessionCookieOf } from './cookie.ts';
import { respondSignedIn } from './routes.ts';
import { BrowserSession, FirstUserNeeded } from './schema.ts';

const PATH = '/v1/session/first-user';
const tag = 'Browser sessions';

export const firstUserRoutes: Route[] = [
  route({
    methods: ['get'],
    path: PATH,
    summary: 'Check whether the first user is missing',
    tag,
    access: { public: { tenant: null, key: 'optional' } },
    confidential: true,
    responses: { 200: FirstUserNeeded },
    handle: ({ caller, context, may, scope }) =>
      ok(async () => {
        if (caller.keyId !== null && !may('users.write')) return { needed: false };
        return { needed: !(await hasActiveUser(scope, caller.keyId === null ? null : context.organizationId)) };
      }),
  }),
  route({
    methods: ['post'],
    path: PATH,
    summary: 'Create the first user',
    description: 'The admin key of the organization creates the user, who is then signed in.',
    tag,
    access: { needs: 'users.write' },
    unrepeatable: true,
    confidential: true,
    oneTime: ['access_token'],
    body: Type.Object({ email: NewUser.properties.email, password: Password }),
    responses: { 200: BrowserSession },
    waitsFor: [organizations.name],
    handle: async (call) => {
      const { body, commands, context, scope } = call;
      const cookie = await sessionCookieOf(call);
      const session = await commands.bind(createFirstUser)(body, signInOrigin(call), context);
      const user = async () => presentUser(await decryptUser(scope, await findUser(scope, session.userId)));
      return respondSignedIn(call, cookie, session, user);
    },
  }),
];
