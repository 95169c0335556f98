import type { Instant } from '../../../domain/time.ts';
import type { CollectionDeclaration, Document, Generation, Query, ReadStore } from '../../../stores/read-store/port.ts';

/** The collection in which each generation stores its set-aside documents. */
export const SET_ASIDE = 'set_aside';

/** Adds the collection of set-aside documents to the collections of a projection. */
export const withSetAside = (
  collections: Readonly<Record<string, CollectionDeclaration>>,
): Record<string, CollectionDeclaration> => ({ ...collections, [SET_ASIDE]: { indexes: [] } });

/**
 * Why a document is not in its collection (docs/develop/projections.md#documents-set-aside):
 * - `refused`: the document is too large or invalid for the store. Events are still folded into it, and it is released
 *   when the store accepts it
 * - `not_folded`: an event could not be folded into the document, so it is not correct any more. It is released when it
 *   is deleted, and a rebuild folds it again
 */
export type SetAsideCause = 'refused' | 'not_folded';

/** The record of a set-aside document. The content of the document is stored in parts. */
export interface SetAsideDocument extends Document {
  /** {@link setAsideId} */
  id: string;
  /** Collection of the document. Empty if an event that names no document is set aside. */
  collection: string;
  /** Id of the document, or of the event if an event is set aside. */
  document: string;
  cause: SetAsideCause;
  /** a sentence */
  reason: string;
  /** `not_folded`: the event that could not be folded; `refused`: the newest event at the first refusal. */
  event: { position: string; id: string; type: string; recorded_at: Instant } | null;
  /** Number of parts with the content. 0 if the document did not exist. */
  parts: number;
  part: null;
}

/** A part of a set-aside document. */
interface PartDocument extends Document {
  /** `{collection}/{document}#{part}` */
  id: string;
  part: number;
  /** Part of the document's JSON, in base64, because base64 has the same size in every store. */
  base64: string;
}

/**
 * Maximum size of the JSON in a part, in bytes. Even in base64, a part is well below the maximum size of a document.
 */
const PART_BYTES = 3 * 1_048_576;

export const setAsideId = (collection: string, document: string): string => `${collection}/${document}`;

const partId = (id: string, part: number): string => `${id}#${part}`;

/** Splits a document into parts. */
export const partsOf = (id: string, document: Document): PartDocument[] => {
  const bytes = Buffer.from(JSON.stringify(document));
  const parts: PartDocument[] = [];
  for (let start = 0; start < bytes.length; start += PART_BYTES) {
    const part = parts.length;
    const base64 = bytes.subarray(start, start + PART_BYTES).toString('base64');
    parts.push({ id: partId(id, part), part, base64 });
  }
  return parts;
};

/** Returns the ids of the parts of a document, from number `from` up to but not including `to`. */
export const partIds = (id: string, from: number, to: number): string[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => partId(id, from + index));

/** Reads the content of a set-aside document. Returns null if the document did not exist. */
export const readParts = async (
  readStore: Pick<ReadStore, 'get'>,
  generation: Generation,
  { id, parts }: Pick<SetAsideDocument, 'id' | 'parts'>,
): Promise<Document | null> => {
  if (parts === 0) return null;
  const found = (await readStore.get(generation, SET_ASIDE, partIds(id, 0, parts))) as PartDocument[];
  if (found.length < parts) throw new Error(`A part of the set-aside document ${id} is missing.`);
  const bytes = found.map(({ base64 }) => Buffer.from(base64, 'base64'));
  return JSON.parse(Buffer.concat(bytes).toString()) as Document;
};

/** Reads the records of the set-aside documents of a generation, by id. */
export const listSetAside = async (
  readStore: Pick<ReadStore, 'find'>,
  generation: Generation,
): Promise<SetAsideDocument[]> =>
  (await findSetAside(readStore, generation, { where: { part: null } })) as SetAsideDocument[];

/** Tests whether a document is set aside. Returns false if an earlier release has built the generation. */
export const isSetAside = async (
  readStore: Pick<ReadStore, 'get'>,
  generation: Generation,
  collection: string,
  document: string,
): Promise<boolean> => {
  try {
    return (await readStore.get(generation, SET_ASIDE, [setAsideId(collection, document)])).length > 0;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
};

/** Finds set-aside documents and parts. Returns an empty list if an earlier release has built the generation. */
export const findSetAside = async (
  readStore: Pick<ReadStore, 'find'>,
  generation: Generation,
  query: Query = {},
): Promise<Document[]> => {
  try {
    return await readStore.find(generation, SET_ASIDE, query);
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
};
