import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readSecret, writeSecret, type DataDirectory } from './data-directory.ts';
import { OperatorError } from '../operator-error.ts';

/**
 * Returns the key that encrypts all other keys. It is SECRETS_KEY or, if that is not set, the key in the data
 * directory. The key in the data directory is created if there are no other keys yet.
 *
 * @throws OperatorError the file does not contain a key, or the file is missing although there are keys that were
 * encrypted with its key
 */
export const wrappingKey = (
  { secretsKey: file, keys }: Pick<DataDirectory, 'secretsKey' | 'keys'>,
  secretsKey: Buffer | null,
): Buffer => {
  if (secretsKey) return secretsKey;
  const text = readSecret(file);
  if (text === null) {
    if (existsSync(keys)) {
      throw new OperatorError(
        `${keys} exists, but the key that unwraps it is missing. Restore ${file}, or set SECRETS_KEY to its previous value.`,
      );
    }
    const made = randomBytes(32);
    writeSecret(file, made.toString('base64'));
    return made;
  }
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new OperatorError(`${file} does not contain a key of 32 bytes in base64.`);
  return key;
};
