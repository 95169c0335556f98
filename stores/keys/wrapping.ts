import type { Sealed } from '../../domain/event.ts';
import { decrypt, encrypt, randomKey } from './cipher.ts';
import { UnreadableSeal } from './port.ts';

/** The key given is not the one that wraps what is kept. */
export class WrongWrappingKey extends Error {
  /** @param kept what was made under another key: a file, a database */
  constructor(kept: string, options?: ErrorOptions) {
    super(
      `${kept} was made under another key. Please set SECRETS_KEY to the one it was made under, or restore the file secrets-key that belongs to it.`,
      options,
    );
    this.name = 'WrongWrappingKey';
  }
}

/** A text sealed under a key. */
export const seal = (key: Buffer, name: string, text: string): Sealed => ({
  key: name,
  sealed: encrypt(key, text, name).toString('base64'),
});

/** @throws UnreadableSeal */
export const openSealed = (key: Buffer, { key: name, sealed }: Sealed): string => {
  try {
    return decrypt(key, Buffer.from(sealed, 'base64'), name).toString();
  } catch (error) {
    throw new UnreadableSeal(name, 'the sealed text is damaged.', { cause: error });
  }
};

/** What a wrapped key is bound to; another thing than what its sealed texts are bound to. */
const bound = (name: string): string => `key ${name}`;

/** A key as it is kept; one that nobody has yet, where none is given. */
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

/** The key of fingerprints as it is kept; another one than before, where none is given. */
export const wrapFingerprintKey = (wrappingKey: Buffer, key = randomKey()): Buffer =>
  encrypt(wrappingKey, key, FINGERPRINT);

/**
 * It also tells whether the wrapping key is the right one.
 *
 * @throws WrongWrappingKey
 */
export const unwrapFingerprintKey = (wrappingKey: Buffer, wrapped: Buffer, kept: string): Buffer => {
  try {
    return decrypt(wrappingKey, wrapped, FINGERPRINT);
  } catch (error) {
    throw new WrongWrappingKey(kept, { cause: error });
  }
};
