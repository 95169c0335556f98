import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/*
 * Time-based codes (TOTP, RFC 6238) as authenticator apps generate them: SHA-1, six digits, 30 seconds. Codes of the
 * previous and the next time step are accepted too (RFC 6238, 5.2).
 */

const ISSUER = 'Uptrail';
const PERIOD = 30;
const WINDOW = 1;
/** Length of a secret. RFC 4226, section 4, recommends 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: PERIOD });

/** Creates a secret, in base32. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** Returns the URL for the QR code that an authenticator app scans. */
export const otpauthUrl = (secret: string, email: string): string => totpOf(secret, email).toString();

/** Returns the time step of a code, or null if the code is not valid at `now`. */
export const stepOfCode = (secret: string, code: string, now: number): number | null => {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, window: WINDOW, timestamp: now });
  return delta === null ? null : Math.floor(now / 1_000 / PERIOD) + delta;
};

/** Time for which the step of a used code must be remembered, in milliseconds. */
export const STEPS_MS = (2 * WINDOW + 2) * PERIOD * 1_000;

const base32 = (bytes: Buffer): string => new Secret({ buffer: new Uint8Array(bytes).buffer }).base32.toLowerCase();

/** Creates single-use codes for users who lose their device. Each has 80 random bits, in four groups of characters. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => (base32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-'));

/** Returns the SHA-256 of a recovery code in hexadecimal, as stored. Ignores the grouping and case of the code. */
export const hashOfRecoveryCode = (code: string): string =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('hex');
