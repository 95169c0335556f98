import { Secret, TOTP } from 'otpauth';

/** Returns the code that an authenticator program shows (RFC 6238). @param now milliseconds since 1970 */
export const codeAt = (secret: string, now: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now });
