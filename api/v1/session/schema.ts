import { Type, type Static } from '@sinclair/typebox';
import type { StartedSession } from '../../../commands/sign-in/session-start.ts';
import { namedSchema, nullable } from '../../schema.ts';
import { presentTokens, SignedIn } from '../login/schema.ts';
import type { User } from '../users/schema.ts';

/** docs/reference/sign-in.md#sign-in-of-browsers. The refresh token is in a cookie. */
export const BrowserSession = namedSchema(
  'BrowserSession',
  Type.Object({
    ...Type.Omit(SignedIn, ['refresh_token']).properties,
    operates_service: Type.Boolean({
      description: 'Whether the user may see the state of the service (`GET /v1/operator`).',
    }),
  }),
);

export const Refreshed = Type.Object({ session: nullable(BrowserSession) });

export const FirstUserNeeded = Type.Object({
  needed: Type.Boolean({
    description:
      'Whether nobody can sign in to the service yet. With an API key: whether the key may create the first user.',
  }),
});

export const presentSession = (
  session: StartedSession,
  user: User,
  operates_service: boolean,
): Static<typeof BrowserSession> => {
  const { access_token, token_type, expires_in } = presentTokens(session);
  return { access_token, token_type, expires_in, user, operates_service };
};
