import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { KEY_BYTES, decrypt, encrypt } from '../../stores/keys/cipher.ts';
import type { KeyRing } from '../../stores/keys/port.ts';
import { writeSecret } from '../../service/embedded/data-directory.ts';
import { FORMAT, unusableFile } from './format.ts';

/**
 * Exported keys are a text file of JSON lines. The file contains a head with the key that computes fingerprints, one
 * line for each other key, and an end with the number of keys and the SHA-256 of all preceding bytes. Every key is
 * wrapped by the SECRETS_KEY of the service that exported it. No key is ever written in plain text.
 */
interface Head {
  uptrail: 'keys';
  format: number;
  /** the wrapped key that computes fingerprints, base64 */
  fingerprint: string;
}

interface KeyLine {
  key: string;
  /** the wrapped key, base64; null: the key was forgotten */
  wrapped: string | null;
}

interface EndLine {
  end: { keys: number; sha256: string };
}

/** The associated data with which a key in a file is encrypted. Keys in a store have different associated data. */
const boundTo = (name: string): string => `exported key ${name}`;
const FINGERPRINT = 'exported key of fingerprints';

/** Writes keys into a new file. @throws OperatorError the file already exists */
export const writeKeys = (file: string, { fingerprint, keys }: KeyRing, wrappingKey: Buffer): void => {
  if (existsSync(file)) throw unusableFile(file, 'already exists. Name a new file.');
  const wrap = (key: Buffer, bound: string): string => encrypt(wrappingKey, key, bound).toString('base64');
  const head: Head = { uptrail: 'keys', format: FORMAT, fingerprint: wrap(fingerprint, FINGERPRINT) };
  const lines = [...keys].map(([key, value]): KeyLine => ({ key, wrapped: value && wrap(value, boundTo(key)) }));
  const text = [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
  const end: EndLine = { end: { keys: keys.size, sha256: digest(text) } };
  writeSecret(file, text + JSON.stringify(end));
};

/** Reads keys from a file. @throws OperatorError the file is absent, damaged, or wrapped by another key */
export const readKeys = (file: string, wrappingKey: Buffer): KeyRing => {
  if (!existsSync(file)) throw unusableFile(file, 'does not exist.');
  const text = readFileSync(file, 'utf8');
  const [headText = '', ...rest] = text.trimEnd().split('\n');
  const head = parsed(headText) as Partial<Head> | null;
  if (head?.uptrail !== 'keys' || head.format === undefined || head.fingerprint === undefined) {
    throw unusableFile(file, 'does not contain exported keys of Uptrail.');
  }
  if (head.format > FORMAT) throw unusableFile(file, 'was written by a newer release. Import it with that release.');
  const end = (parsed(rest.at(-1) ?? '') as Partial<EndLine> | null)?.end;
  const lines = rest.slice(0, -1);
  const body = [headText, ...lines].map((line) => `${line}\n`).join('');
  if (!end || end.keys !== lines.length || end.sha256 !== digest(body)) {
    throw unusableFile(file, 'is damaged or incomplete: its checksum does not match.');
  }
  const unwrap = (wrapped: string, bound: string): Buffer => {
    try {
      const key = decrypt(wrappingKey, Buffer.from(wrapped, 'base64'), bound);
      if (key.length === KEY_BYTES) return key;
    } catch {
      // The wrapping key is wrong. The file itself is not damaged, because its checksum matches.
    }
    throw unusableFile(
      file,
      'was written under another SECRETS_KEY. Name a file with that key using --wrapped-by, such as the file secrets-key of the original data folder.',
    );
  };
  return {
    fingerprint: unwrap(head.fingerprint, FINGERPRINT),
    keys: new Map(
      lines.map((line) => {
        const { key, wrapped } = parsed(line) as unknown as KeyLine;
        return [key, wrapped === null ? null : unwrap(wrapped, boundTo(key))];
      }),
    ),
  };
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const parsed = (line: string): object | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
};
