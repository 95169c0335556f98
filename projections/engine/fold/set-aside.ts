import type { Instant } from '../../../domain/time.ts';
import type { CollectionDeclaration, Document, Generation, Query, ReadStore } from '../../../stores/read-store/port.ts';

/** The collection in which each generation stores its set-aside documents. */
export const SET_ASIDE = 'set_aside';

/** The contents of a generation: the collections of its projection, and their set-aside documents. */
export const withSetAside = (
  collections: Readonly<Record<string, CollectionDeclaration>>,
): Record<string, CollectionDeclaration> => ({ ...collections, [SET_ASIDE]: { indexes: [] } });

/**
 * Why a document is not in its collection (docs/develop/projections.md#documents-set-aside):
 * - `refused`: no store can hold it as it is. Events are still folded into it, and it is back once it fits
 * - `not_folded`: an event could not be folded into it, so it is no longer correct. It is back once it was deleted,
 *   or in a generation that a rebuild has built
 */
export type SetAsideCause = 'refused' | 'not_folded';

/** A set-aside document as it is stored; its content is in its parts. */
export interface SetAsideDocument extends Document {
  /** {@link setAsideId} */
  id: string;
  /** empty for an event that names no document */
  collection: string;
  /** id of the document, or else of the event */
  document: string;
  cause: SetAsideCause;
  /** a sentence */
  reason: string;
  /** the event that could not be folded, or the last one before it was first refused */
  event: { position: string; id: string; type: string; recorded_at: Instant } | null;
  /** number of parts with its content; 0: the document did not exist */
  parts: number;
  part: null;
}

/** A part of a set-aside document. */
interface PartDocument extends Document {
  /** `{collection}/{document}#{part}` */
  id: string;
  part: number;
  /** of the JSON of the document, in base64, whose size is the same in every store */
  base64: string;
}

/** Bytes of JSON in a part: well below the largest document, even as base64. */
const PART_BYTES = 3 * 1_048_576;

export const setAsideId = (collection: string, document: string): string => `${collection}/${document}`;

const partId = (id: string, part: number): string => `${id}#${part}`;

/** The parts of a document that is too large to be stored as one. */
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

/** Ids of the parts of a document from one number up to another. */
export const partIds = (id: string, from: number, to: number): string[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => partId(id, from + index));

/** The content of a set-aside document; null if it did not exist. */
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

/** The set-aside documents of a generation, by id. */
export const listSetAside = async (
  readStore: Pick<ReadStore, 'find'>,
  generation: Generation,
): Promise<SetAsideDocument[]> =>
  (await findSetAside(readStore, generation, { where: { part: null } })) as SetAsideDocument[];

/** Whether a document is set aside; false if an earlier release has built the generation. */
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

/** The set-aside documents and their parts; none if an earlier release has built the generation. */
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
