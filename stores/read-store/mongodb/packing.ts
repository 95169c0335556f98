import type { Document } from '../port.ts';

/** A document in MongoDB; `_id` is its id. A deleted one leaves a tombstone, without `document`, for one day. */
export interface Packed {
  document: object;
  /** set if field names were escaped */
  escaped?: true;
}

// MongoDB accepts such names only in some releases (`$`, dots), or never (NUL). Conditions never use them (values.ts).
const UNSAFE = /[.$\0%]/;
const ALL_UNSAFE = /[.$\0%]/g;

/** @param text JSON of a document */
export const pack = (text: string): Packed => {
  const document = JSON.parse(text) as object;
  return hasUnsafeNames(document) ? { document: renamed(document, escapeName) as object, escaped: true } : { document };
};

export const unpack = ({ document, escaped }: Packed): Document =>
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
