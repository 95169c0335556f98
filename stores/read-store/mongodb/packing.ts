import { BSON } from 'mongodb';
import type { Document } from '../port.ts';

/** The content of a document in MongoDB. `_id` is the document's id. */
export interface PackedDocument {
  document: object;
  /** set if field names were escaped */
  escaped?: true;
}

// Characters that are escaped in field names. Some releases of MongoDB refuse `$` and dots, and all refuse NUL.
// Conditions never use such names (values.ts).
const UNSAFE = /[.$\0%]/;
const ALL_UNSAFE = /[.$\0%]/g;

/**
 * Maximum size of a document as BSON, in bytes. MongoDB allows 16 MiB. The remainder is for the id, the position, and
 * the operation that writes the document.
 */
const MAX_PACKED_BYTES = 15 * 1_048_576;
/**
 * A document with at most this number of characters of JSON always fits. In the worst case, a list of digits, BSON
 * takes 13 bytes for 2 characters.
 */
const SURELY_FITS = MAX_PACKED_BYTES / 8;

/**
 * Returns a sentence if a document exceeds MongoDB's limit although its JSON is short enough; null if it fits.
 *
 * @param text JSON of the document
 */
export const tooLargePacked = (text: string): string | null => {
  if (text.length <= SURELY_FITS) return null;
  const bytes = BSON.calculateObjectSize(pack(text));
  return bytes > MAX_PACKED_BYTES
    ? `It has ${bytes} bytes in MongoDB; at most ${MAX_PACKED_BYTES} are possible.`
    : null;
};

/** Converts JSON of a document to its form in MongoDB. */
export const pack = (text: string): PackedDocument => {
  const document = JSON.parse(text) as object;
  return hasUnsafeNames(document) ? { document: renamed(document, escapeName) as object, escaped: true } : { document };
};

export const unpack = ({ document, escaped }: PackedDocument): Document =>
  (escaped ? renamed(document, unescapeName) : document) as Document;

const hasUnsafeNames = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasUnsafeNames);
  for (const [name, inner] of Object.entries(value)) if (UNSAFE.test(name) || hasUnsafeNames(inner)) return true;
  return false;
};

const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => renamed(element, rename));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]));
};

const escapeName = (name: string): string =>
  name.replace(ALL_UNSAFE, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);

const unescapeName = (name: string): string =>
  name.replace(/%([0-9a-f]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
