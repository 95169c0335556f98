import { setTimeout as sleep } from 'node:timers/promises';
import type { Instant } from '../../../domain/time.ts';
import type { Document, Generation, ReadStore } from '../../../stores/read-store/port.ts';
import { canonicalJson } from '../../../domain/canonical-json.ts';
import type { AnyProjection, Collections } from '../fold/define.ts';
import { listSetAside, setAsideId } from '../fold/set-aside.ts';
import { readCheckpointOf } from './generations.ts';

/** A document that is different in two generations. Null for a generation that does not have the document. */
export interface Difference {
  collection: string;
  id: string;
  live: Document | null;
  rebuilt: Document | null;
}

export interface Comparison {
  /** number of compared documents */
  compared: number;
  differences: Difference[];
}

export interface CompareOptions {
  projection: AnyProjection;
  readStore: ReadStore;
  live: Generation;
  rebuilt: Generation;
  /** Folds the rebuilt generation exactly up to a position, and commits. */
  advance: (position: bigint) => Promise<void>;
  /** Start of the retention period. Earlier documents are ignored in both generations. Null if nothing expires. */
  retainedFrom: Instant | null;
  signal: AbortSignal;
}

const PAGE = 500;

/**
 * Number of documents that are compared again at a time. It is small, so that the live generation pauses only briefly.
 */
const COMPARED_AGAIN = 50;

/**
 * Compares a rebuilt generation with the live one, document by document, as canonical JSON. The live generation
 * advances during the comparison. Documents that differ are therefore compared again when both generations are at the
 * same position.
 *
 * @throws Error if the live generation was replaced in the meantime
 */
export const compareGenerations = async (options: CompareOptions): Promise<Comparison> => {
  const { projection, live, advance, signal } = options;
  await advance((await liveStanding(options, live)).position);
  const result: Comparison = { compared: 0, differences: [] };
  for (const collection of Object.keys(projection.collections as Collections)) {
    const suspects: string[] = [];
    for (let after: string | null = ''; after !== null;) {
      signal.throwIfAborted();
      const page = await comparePage(options, collection, after);
      result.compared += page.compared;
      suspects.push(...page.different);
      after = page.next;
    }
    while (suspects.length > 0) {
      const ids = suspects.splice(0, COMPARED_AGAIN);
      result.differences.push(...(await compareAgain(options, collection, ids)));
    }
  }
  return result;
};

/** Reads the documents of both generations after an id, up to the highest id that was read from both. */
const comparePage = async (
  options: CompareOptions,
  collection: string,
  after: string,
): Promise<{ compared: number; different: string[]; next: string | null }> => {
  const { readStore, live, rebuilt } = options;
  const query = { where: { id: { $gt: after } }, sort: { id: 1 }, limit: PAGE } as const;
  const pages = [
    await readStore.find(live, collection, query),
    await readStore.find(rebuilt, collection, query),
  ] as const;
  const ends = pages.filter((page) => page.length === PAGE).map((page) => page.at(-1)?.id ?? '');
  const next = ends.length === 0 ? null : ends.reduce((a, b) => (byBytes(a, b) < 0 ? a : b));
  const [a, b] = pages.map((page) => page.filter(({ id }) => next === null || byBytes(id, next) <= 0));
  const { ids, different } = differing(options, collection, a ?? [], b ?? []);
  return { compared: ids.length, different, next };
};

/**
 * Returns the documents that still differ when both generations are at the same position. A document that is set aside
 * in the live generation is not compared, because readers cannot read it there.
 */
const compareAgain = async (
  options: CompareOptions,
  collection: string,
  ids: readonly string[],
): Promise<Difference[]> => {
  const { readStore, live, rebuilt, advance, signal } = options;
  for (;;) {
    const { position } = await liveStanding(options, live);
    const a = await readStore.get(live, collection, ids);
    if ((await liveStanding(options, live)).position !== position) {
      await sleep(5, undefined, { signal });
      continue;
    }
    await advance(position);
    const b = await readStore.get(rebuilt, collection, ids);
    const { different } = differing(options, collection, a, b);
    if (different.length === 0) return [];
    const aside = new Set((await listSetAside(readStore, live)).map((document) => document.id));
    const one = (documents: readonly Document[], id: string): Document | null =>
      documents.find((document) => document.id === id) ?? null;
    return different
      .filter((id) => !aside.has(setAsideId(collection, id)))
      .map((id) => ({ collection, id, live: one(a, id), rebuilt: one(b, id) }));
  }
};

type Retained = Readonly<Record<string, (document: Document, from: Instant) => Document>>;

const differing = (
  { projection, retainedFrom }: CompareOptions,
  collection: string,
  a: readonly Document[],
  b: readonly Document[],
): { ids: string[]; different: string[] } => {
  const { expires } = (projection.collections as Collections)[collection] ?? {};
  const retained = (document: Document): boolean => {
    const instant = expires && (document as unknown as Record<string, unknown>)[expires.field];
    return typeof instant !== 'string' || retainedFrom === null || instant >= retainedFrom;
  };
  const rest = (projection.retained as Retained | undefined)?.[collection];
  const texts = (documents: readonly Document[]): Map<string, string> =>
    new Map(
      documents
        .filter(retained)
        .map((document) => (retainedFrom === null ? document : (rest?.(document, retainedFrom) ?? document)))
        .map((document) => [document.id, canonicalJson(document)]),
    );
  const [left, right] = [texts(a), texts(b)];
  const ids = [...new Set([...left.keys(), ...right.keys()])].sort(byBytes);
  return { ids, different: ids.filter((id) => left.get(id) !== right.get(id)) };
};

const liveStanding = async ({ readStore }: CompareOptions, live: Generation) => {
  const checkpoint = await readCheckpointOf(readStore, live);
  if (!checkpoint) throw new Error(`Generation ${live.number} of ${live.projection} no longer exists.`);
  return checkpoint;
};

/** Compares strings by their UTF-8 bytes, as all read stores do. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
