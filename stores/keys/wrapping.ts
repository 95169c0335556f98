import type { Sealed } from '../../domain/sealed.ts';
import { BOUND_TO_NAME, BOUND_TO_LOCATION, decrypt, encrypt, randomKey } from './cipher.ts';
import { UnreadableSeal, type SealLocation } from './port.ts';

/** The given key is not the one that wraps the stored keys. */
export class WrongWrappingKey extends Error {
  /** @param stored what was encrypted with another key: a file, a database */
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
 * Opens a sealed text. One that was sealed before texts were bound to locations opens for any. @throws UnreadableSeal
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

/** What a wrapped key is bound to; differs from what its sealed texts are bound to. */
const bound = (name: string): string => `key ${name}`;

/** A wrapped key for storing; a new one if none is given. */
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

/** The wrapped fingerprint key for storing; a new one if none is given. */
export const wrapFingerprintKey = (wrappingKey: Buffer, key = randomKey()): Buffer =>
  encrypt(wrappingKey, key, FINGERPRINT);

/**
 * Unwraps the fingerprint key, which also proves whether the wrapping key is the right one.
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
