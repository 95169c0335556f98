import { createHash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/*
 * Codes by time (RFC 6238) as authenticator programs make them: SHA-1, six digits, 30 seconds. A code of the step
 * before and of the one after is taken too (RFC 6238, 5.2).
 */

const ISSUER = 'Uptrail';
const PERIOD = 30;
const WINDOW = 1;
/** RFC 4226, 4 recommends 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: PERIOD });

/** A new secret, in base32. */
export const newSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What an authenticator program reads from a QR code. */
export const otpauthUrl = (secret: string, email: string): string => totpOf(secret, email).toString();

/** The step of time that a code is of; null: it is of none that is taken now. */
export const stepOfCode = (secret: string, code: string, now: number): number | null => {
  if (!/^\d{6}$/.test(code)) return null;
  const delta = totpOf(secret).validate({ token: code, window: WINDOW, timestamp: now });
  return delta === null ? null : Math.floor(now / 1_000 / PERIOD) + delta;
};

/** How long the step of a used code matters, milliseconds. */
export const STEPS_MS = (2 * WINDOW + 2) * PERIOD * 1_000;

const base32 = (bytes: Buffer): string => new Secret({ buffer: new Uint8Array(bytes).buffer }).base32.toLowerCase();

/** Codes that stand in for a lost device, each once: 80 random bits in four groups. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () => (base32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-'));

/** What is kept of a recovery code: SHA-256, hexadecimal. How it is grouped and its case do not matter. */
export const hashOfRecoveryCode = (code: string): string =>
  createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest('hex');
