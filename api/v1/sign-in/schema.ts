import { Type, type Static } from '@sinclair/typebox';
import type { Started } from '../../../commands/sign-in/session-start.ts';
import { LONGEST_PASSWORD } from '../../../domain/organization/password.ts';
import { User } from '../users/schema.ts';

/** A password as it is typed; what a new one must be is said when it is set. */
export const Password = Type.String({ maxLength: 2 * LONGEST_PASSWORD, description: 'at most 1,000 characters' });

/** A code of an authenticator program, or a recovery code. */
export const Code = Type.String({ minLength: 1, maxLength: 50, examples: ['492039'] });

/** What somebody signs in with. */
export const PasswordGiven = Type.Object({ email: Type.String({ maxLength: 1_000 }), password: Password });
/** The answer to the challenge of a second factor. */
export const CodeGiven = Type.Object({ challenge: Type.String({ maxLength: 200 }), code: Code });

const tokens = {
  access_token: Type.String({ description: 'stands where an API key stands' }),
  refresh_token: Type.String({ description: 'for `POST /v1/refresh`, once' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'seconds for which the access token works' }),
};

/** decisions.md: Sign-in. */
export const Tokens = Type.Object(tokens);
export const SignedIn = Type.Object({ ...tokens, user: User });
export const Challenge = Type.Object({
  requires_2fa: Type.Literal(true),
  challenge: Type.String({ description: 'for `POST /v1/login/totp`, within five minutes' }),
});
export const Message = Type.Object({ message: Type.String() });

/** Fields of these answers that are shown once. */
export const SHOWN_ONCE = ['access_token', 'refresh_token', 'challenge'] as const;

export const presentTokens = ({ access, refresh, expiresIn }: Started): Static<typeof Tokens> => ({
  access_token: access,
  refresh_token: refresh,
  token_type: 'Bearer',
  expires_in: expiresIn,
});
