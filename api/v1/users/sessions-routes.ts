import { Type, type Static } from '@sinclair/typebox';
import { endOneSession, listSessions } from '../../../commands/sign-in/session-list.ts';
import { endSessionsOf } from '../../../commands/sign-in/sessions.ts';
import { Forbidden } from '../../../domain/errors.ts';
import { findUser } from '../../../queries/organizations/users.ts';
import { noContent, ok, route, type Call, type Route } from '../../route.ts';
import { Id, InstantOut, namedSchema, nullable } from '../../schema.ts';

const PATH = '/v1/users/{user_id}/sessions';
const tag = 'Users';
const access = { needs: 'users.read' } as const;

const Params = Type.Object({ user_id: Id });
const OneParams = Type.Object({ user_id: Id, session_id: Id });

/** See docs/reference/sign-in.md#sessions. */
const Session = namedSchema(
  'Session',
  Type.Object({
    id: Id,
    created_at: InstantOut,
    last_used_at: Type.String({ ...InstantOut, description: 'Accurate to 15 minutes.' }),
    expires_at: InstantOut,
    ip_address: nullable(Type.String()),
    user_agent: nullable(Type.String()),
    current: Type.Boolean({ description: "Whether this is the caller's session." }),
  }),
);

type ReadCall = Omit<Call<Static<typeof Params>, unknown, never>, 'body' | 'commands'>;

/**
 * Checks that the caller is allowed to access the sessions of a user. Users can access their own sessions, and admins
 * those of all users.
 *
 * @throws NotFound, Forbidden
 */
const find = async ({ scope, params, caller, may }: ReadCall): Promise<{ current: string | null }> => {
  const { id } = await findUser(scope, params.user_id);
  if (caller.sessionId !== null && caller.userId === id) return { current: caller.sessionId };
  if (may('users.write')) return { current: null };
  throw new Forbidden('Sessions of other users need the role admin; your own need a session instead of an API key.');
};

export const sessionRoutes: Route[] = [
  route({
    methods: ['get'],
    path: PATH,
    summary: 'List the sessions of a user',
    description: 'The list is sorted newest first. Sessions of other users need the role admin.',
    tag,
    access,
    params: Params,
    confidential: true,
    responses: { 200: Type.Array(Session) },
    heavy: true,
    find,
    handle: ({ commands, params, found, context }) =>
      ok(() => commands.bind(listSessions)(params.user_id, found.current, context)),
  }),
  route({
    methods: ['delete'],
    path: PATH,
    summary: 'End the sessions of a user',
    description: 'Ends all your own sessions except the current one. Admins can end all sessions of another user.',
    tag,
    access,
    params: Params,
    responses: { 204: null },
    find,
    handle: async ({ commands, params, found, context }) => {
      const { organizationId } = context;
      await commands.bind(endSessionsOf)(params.user_id, organizationId, 'ended', context, found.current);
      return noContent();
    },
  }),
  route({
    methods: ['delete'],
    path: `${PATH}/{session_id}`,
    summary: 'End a session',
    description: 'Sessions of other users need the role admin.',
    tag,
    access,
    params: OneParams,
    responses: { 204: null },
    find,
    handle: async ({ commands, params, context }) => {
      await commands.bind(endOneSession)(params.user_id, params.session_id, context);
      return noContent();
    },
  }),
];
