import { Type, type Static } from '@sinclair/typebox';
import { endOneSession, listSessions } from '../../../commands/sign-in/listed-sessions.ts';
import { endSessionsOf } from '../../../commands/sign-in/sessions.ts';
import { Forbidden } from '../../../domain/errors.ts';
import { findUser } from '../../../queries/organizations/users.ts';
import { noContent, ok, route, type Call, type Route } from '../../route.ts';
import { Id, InstantOut, named, nullable } from '../../schema.ts';

const PATH = '/v1/users/{user_id}/sessions';
const tag = 'Users';
const access = { needs: 'users.read' } as const;

const Params = Type.Object({ user_id: Id });
const OneParams = Type.Object({ user_id: Id, session_id: Id });

/** decisions.md (ours): Sign-in. */
const Session = named(
  'Session',
  Type.Object({
    id: Id,
    created_at: InstantOut,
    last_used_at: Type.String({ ...InstantOut, description: 'within 15 minutes' }),
    expires_at: InstantOut,
    ip_address: nullable(Type.String()),
    user_agent: nullable(Type.String()),
    current: Type.Boolean({ description: 'whether it is that of the caller' }),
  }),
);

type Looking = Omit<Call<Static<typeof Params>, unknown, never>, 'body' | 'commands'>;

/** The user whose sessions these are: who has signed in, or anybody for an admin. @throws NotFound @throws Forbidden */
const find = async ({ scope, params, caller, may }: Looking): Promise<{ current: string | null }> => {
  const { id } = await findUser(scope, params.user_id);
  if (caller.sessionId !== null && caller.userId === id) return { current: caller.sessionId };
  if (may('users.write')) return { current: null };
  throw new Forbidden('The sessions of other users need the role admin, and your own need a session.');
};

export const sessionRoutes: Route[] = [
  route({
    methods: ['get'],
    path: PATH,
    summary: "A user's sessions, newest first; those of others need the role admin",
    tag,
    access,
    params: Params,
    confidential: true,
    answers: { 200: Type.Array(Session) },
    heavy: true,
    find,
    handle: ({ commands, params, found, context }) =>
      ok(() => commands.ask(listSessions)(params.user_id, found.current, context)),
  }),
  route({
    methods: ['delete'],
    path: PATH,
    summary: "End all of one's own sessions but this one; an admin, all of another user",
    tag,
    access,
    params: Params,
    answers: { 204: null },
    find,
    handle: async ({ commands, params, found, context }) => {
      const { organizationId } = context;
      await commands.ask(endSessionsOf)(params.user_id, organizationId, 'ended', context, found.current);
      return noContent();
    },
  }),
  route({
    methods: ['delete'],
    path: `${PATH}/{session_id}`,
    summary: 'End a session; those of others need the role admin',
    tag,
    access,
    params: OneParams,
    answers: { 204: null },
    find,
    handle: async ({ commands, params, context }) => {
      await commands.ask(endOneSession)(params.user_id, params.session_id, context);
      return noContent();
    },
  }),
];
