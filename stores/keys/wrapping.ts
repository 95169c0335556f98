import type { Sealed } from '../../domain/sealed.ts';
import { BOUND_TO_NAME, BOUND_TO_LOCATION, decrypt, encrypt, randomKey } from './cipher.ts';
import { UnreadableSeal, type SealLocation } from './port.ts';

/** The given wrapping key differs from the one that the stored keys were wrapped with. */
export class WrongWrappingKey extends Error {
  /** @param stored name of the file or database that was encrypted with another key */
  constructor(stored: string, options?: ErrorOptions) {
    super(
      `${stored} was encrypted with another key. Set SECRETS_KEY to the original one, or restore the file secrets-key that belongs to it.`,
      options,
    );
    this.name = 'WrongWrappingKey';
  }
}

const boundTo = (name: string, { organizationId, field }: SealLocation): string =>
  JSON.stringify([name, organizationId, field]);

/** Seals a text under a key, for the location where it will be stored. */
export const seal = (key: Buffer, name: string, text: string, place: SealLocation): Sealed => ({
  key: name,
  sealed: encrypt(key, text, boundTo(name, place), BOUND_TO_LOCATION).toString('base64'),
});

/**
 * Opens a sealed text. A text sealed by an early release is not bound to a location, and can be opened for any
 * location.
 *
 * @throws UnreadableSeal
 */
export const openSealed = (key: Buffer, { key: name, sealed }: Sealed, place: SealLocation): string => {
  const bytes = Buffer.from(sealed, 'base64');
  try {
    const plain =
      bytes[0] === BOUND_TO_NAME
        ? decrypt(key, bytes, name, BOUND_TO_NAME)
        : decrypt(key, bytes, boundTo(name, place), BOUND_TO_LOCATION);
    return plain.toString();
  } catch (error) {
    throw new UnreadableSeal(name, 'the sealed text is damaged, or was sealed for another location.', { cause: error });
  }
};

/**
 * Returns the text to which a wrapped key is bound. Sealed texts are never bound to this text, so a wrapped key can't
 * be used in place of a sealed text.
 */
const bound = (name: string): string => `key ${name}`;

/** Wraps a key for storing. Creates a new key if none is given. */
export const wrap = (wrappingKey: Buffer, name: string, key = randomKey()): Buffer =>
  encrypt(wrappingKey, key, bound(name));

/** @throws UnreadableSeal */
export const unwrap = (wrappingKey: Buffer, wrapped: Buffer, name: string): Buffer => {
  try {
    return decrypt(wrappingKey, wrapped, bound(name));
  } catch (error) {
    throw new UnreadableSeal(name, 'the key itself is damaged.', { cause: error });
  }
};

const FINGERPRINT = 'fingerprint';

/** Wraps the fingerprint key for storing. Creates a new key if none is given. */
export const wrapFingerprintKey = (wrappingKey: Buffer, key = randomKey()): Buffer =>
  encrypt(wrappingKey, key, FINGERPRINT);

/**
 * Unwraps the fingerprint key. If this succeeds, the wrapping key is correct.
 *
 * @throws WrongWrappingKey
 */
export const unwrapFingerprintKey = (wrappingKey: Buffer, wrapped: Buffer, stored: string): Buffer => {
  try {
    return decrypt(wrappingKey, wrapped, FINGERPRINT);
  } catch (error) {
    throw new WrongWrappingKey(stored, { cause: error });
  }
};
