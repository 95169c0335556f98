import { Type, type Static } from '@sinclair/typebox';
import type { StartedSession } from '../../../commands/sign-in/session-start.ts';
import { MAX_PASSWORD_LENGTH } from '../../../domain/organization/password.ts';
import { User } from '../users/schema.ts';

/** A password as entered. The schema does not apply the rules for new passwords. */
export const Password = Type.String({ maxLength: 2 * MAX_PASSWORD_LENGTH, description: 'At most 1,000 characters.' });

/** A code of an authenticator app, or a recovery code. */
export const Code = Type.String({ minLength: 1, maxLength: 50, examples: ['492039'] });

/** Credentials for signing in. */
export const PasswordCredentials = Type.Object({ email: Type.String({ maxLength: 1_000 }), password: Password });
/** Response to the challenge of the second factor. */
export const SecondFactorCredentials = Type.Object({ challenge: Type.String({ maxLength: 200 }), code: Code });

const tokens = {
  access_token: Type.String({ description: 'Use it in place of an API key.' }),
  refresh_token: Type.String({ description: 'For `POST /v1/refresh`. It can be used once.' }),
  token_type: Type.Literal('Bearer'),
  expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds.' }),
};

/** See docs/reference/sign-in.md#tokens. */
export const Tokens = Type.Object(tokens);
export const SignedIn = Type.Object({ ...tokens, user: User });
export const Challenge = Type.Object({
  requires_2fa: Type.Literal(true),
  challenge: Type.String({ description: 'For `POST /v1/login/totp`, within five minutes.' }),
});
export const Message = Type.Object({ message: Type.String() });

/** Fields of sign-in responses that are not repeated if the client repeats the request. */
export const SHOWN_ONCE = ['access_token', 'refresh_token', 'challenge'] as const;

export const presentTokens = ({ access, refresh, expiresIn }: StartedSession): Static<typeof Tokens> => ({
  access_token: access,
  refresh_token: refresh,
  token_type: 'Bearer',
  expires_in: expiresIn,
});
