import { createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto';

/** Length of every key in bytes: AES-256 and HMAC-SHA-256. */
export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * First byte of a ciphertext. Both forms are AES-256-GCM, and differ in what the ciphertext is bound to. A ciphertext
 * of form 1 is bound only to the name of its key. This form is used for wrapped keys, and earlier releases used it for
 * sealed texts. A ciphertext of form 2 is also bound to the location of the text.
 */
export const BOUND_TO_NAME = 1;
export const BOUND_TO_LOCATION = 2;
export type Form = typeof BOUND_TO_NAME | typeof BOUND_TO_LOCATION;

// Random bytes are fetched 8 KiB at a time. A system call for each text would cost as much as the encryption of the
// text.
const pool = Buffer.alloc(8_192);
let used = pool.length;

/** Returns a new random key in a buffer that shares no memory with other buffers. */
export const randomKey = (): Buffer => randomFillSync(Buffer.alloc(KEY_BYTES));

const nonce = (): Buffer => {
  if (used + NONCE_BYTES > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += NONCE_BYTES;
  return pool.subarray(used - NONCE_BYTES, used);
};

/**
 * Encrypts with AES-256-GCM. Returns form, nonce, ciphertext and tag. `bound` is authenticated too, so a ciphertext
 * can't be decrypted under another key name or for another location.
 */
export const encrypt = (key: Buffer, plain: Buffer | string, bound: string, form: Form = BOUND_TO_NAME): Buffer => {
  const iv = nonce();
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(bound));
  const first = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  return Buffer.concat([Buffer.of(form), iv, first, cipher.final(), cipher.getAuthTag()]);
};

/** @throws Error the key, `bound` or the form differs, or a byte was changed */
export const decrypt = (key: Buffer, sealed: Buffer, bound: string, form: Form = BOUND_TO_NAME): Buffer => {
  if (sealed[0] !== form || sealed.length < 1 + NONCE_BYTES + TAG_BYTES) throw new Error('It has a different form.');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE_BYTES))
    .setAAD(Buffer.from(bound))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
};

/**
 * Returns an HMAC-SHA-256 as 43 characters of base64url. A NUL byte, which no kind contains, separates kind and text.
 */
export const hmac = (key: Buffer, kind: string, text: string): string =>
  createHmac('sha256', key).update(kind).update('\0').update(text).digest('base64url');
