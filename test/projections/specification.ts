import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalJson } from '../../domain/canonical-json.ts';
import {
  projectionKey,
  type AnyProjection,
  type Collections,
  type DocumentOf,
  type Projection,
} from '../../projections/engine/fold/define.ts';
import { Folding } from '../../projections/engine/fold/folding.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { Document } from '../../stores/read-store/port.ts';
import { instantOf, millisecondsOf } from '../../domain/time.ts';
import { createMemoryReadStore } from '../../stores/read-store/memory.ts';
import { freezeProjection } from './frozen-projection.ts';
import { recorded, type Fact } from './history.ts';

/** Assertions about the documents that a projection creates from a history. */
interface Projected<C extends Collections> {
  /** Asserts that a collection contains a document, or exactly the documents of a list in any order. */
  then: <N extends keyof C & string>(
    collection: N,
    expected: DocumentOf<C[N]> | readonly DocumentOf<C[N]>[],
  ) => Promise<void>;
  /** Asserts that a collection contains no document, or none with an id. */
  thenNone: (collection: keyof C & string, id?: string) => Promise<void>;
  /** Returns a document for further assertions, or null if it does not exist. */
  document: <N extends keyof C & string>(collection: N, id: string) => Promise<DocumentOf<C[N]> | null>;
  /** Returns the documents of a collection, sorted by id. */
  documents: <N extends keyof C & string>(collection: N) => Promise<DocumentOf<C[N]>[]>;
}

/**
 * Specifications of a projection that read as sentences:
 * `projection(incidents).given(opened, updated).then('incidents', { id: …, … })`.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export const projection = <C extends Collections>(definition: Projection<C, any>) => ({
  given: (...facts: readonly Fact[]): Projected<C> => {
    const documents = async <N extends keyof C & string>(collection: N): Promise<DocumentOf<C[N]>[]> =>
      ((await fold(definition, facts))[collection] ?? []) as unknown as DocumentOf<C[N]>[];
    const byId = async <N extends keyof C & string>(collection: N, id: string): Promise<DocumentOf<C[N]> | null> =>
      (await documents(collection)).find((document) => (document as Document).id === id) ?? null;
    return {
      documents,
      document: byId,
      then: async (collection, expected) => {
        if (!Array.isArray(expected)) {
          assert.equal(await byId(collection, (expected as Document).id), expected);
          return;
        }
        assert.equal(await documents(collection), [...(expected as Document[])].sort(idsInOrder));
      },
      thenNone: async (collection, id) => {
        if (id === undefined) assert.equal(await documents(collection), []);
        else assert.is(await byId(collection, id), null);
      },
    };
  },
});

/**
 * The rules that apply to every projection.
 *
 * @param facts a history with each event type that the projection handles
 */
export const projectionRules = (definition: AnyProjection, facts: readonly Fact[]): void => {
  const test = suite(`the rules of projections for ${definition.name}`);

  test('the history of the test contains each event type that the projection handles', () => {
    const given = new Set<string>(facts.map((fact) => fact.type));
    assert.equal(
      Object.keys(definition.on as object).filter((type) => !given.has(type)),
      [],
    );
  });

  test('the same events twice give the same documents', async () => {
    assert.is(canonicalJson(await fold(definition, facts)), canonicalJson(await fold(definition, facts)));
  });

  if (definition.log === 'results') {
    test('an event repeated under its id changes nothing, immediately or later', async () => {
      const once = spread(recorded(facts));
      const expected = canonicalJson(await foldEvents(definition, once));
      const atOnce = once.flatMap((event) => [event, again(event, event.position + 1n)]);
      assert.is(canonicalJson(await foldEvents(definition, atOnce)), expected);
      const end = once.at(-1)?.position ?? 0n;
      const results = once.filter(({ type }) => type === 'CheckRunCompleted');
      const later = [...once, ...results.map((event, index) => again(event, end + BigInt(index) + 1n))];
      assert.is(canonicalJson(await foldEvents(definition, later)), expected);
      assert.is(canonicalJson(await foldEvents(definition, later, { batch: 1, restart: true })), expected);
    });
  }

  test('any batch size gives the same documents', async () => {
    const atOnce = canonicalJson(await fold(definition, facts));
    for (const batch of [1, 2, 3, 7]) assert.is(canonicalJson(await fold(definition, facts, { batch })), atOnce);
  });

  test('a restart at any event gives the same documents', async () => {
    const atOnce = canonicalJson(await fold(definition, facts));
    assert.is(canonicalJson(await fold(definition, facts, { batch: 1, restart: true })), atOnce);
  });

  test('a rebuild gives the same documents', async () => {
    const live = canonicalJson(await fold(definition, facts, { batch: 1 }));
    assert.is(canonicalJson(await fold(definition, facts, { batch: 2, commitAtEnd: true })), live);
  });

  test.run();
};

/** Returns the events with gaps between their positions, into which repeated events fit. */
const spread = (events: readonly RecordedEvent[]): RecordedEvent[] =>
  events.map((event) => ({ ...event, position: event.position * 1_000n }));

/** Returns a copy of an event with the same id, recorded five minutes later, as if the run had been repeated. */
const again = (event: RecordedEvent, position: bigint): RecordedEvent => {
  const recorded_at = instantOf(millisecondsOf(event.metadata.recorded_at) + 300_000);
  return { ...event, position, metadata: { ...event.metadata, recorded_at } };
};

interface FoldOptions {
  /** number of events that are folded together; default: all */
  batch?: number;
  /** whether each batch is folded by a new process without documents in memory */
  restart?: boolean;
  /** whether indexes and documents are stored only at the end, as in a rebuild */
  commitAtEnd?: boolean;
}

/** Returns the documents of a history, by collection and id. */
const fold = (definition: AnyProjection, facts: readonly Fact[], options?: FoldOptions) =>
  foldEvents(definition, recorded(facts), options);

const foldEvents = async (
  definition: AnyProjection,
  events: readonly RecordedEvent[],
  { batch = events.length || 1, restart = false, commitAtEnd = false }: FoldOptions = {},
): Promise<Record<string, Document[]>> => {
  const readStore = createMemoryReadStore();
  const generation = { projection: projectionKey(definition), number: 1 };
  const collections = definition.collections as Collections;
  await readStore.open(generation, collections, { deferIndexes: commitAtEnd });
  const open = async (): Promise<Folding> =>
    new Folding({
      projection: freezeProjection(definition),
      generation,
      readStore,
      checkpoint: (await readStore.checkpoint(generation)) ?? { log_id: 'log', position: 0n, event_id: null },
      retainedFrom: null,
      recentDocuments: 100,
    });
  let folding = await open();
  for (let first = 0; first < events.length; first += batch) {
    await folding.fold(events.slice(first, first + batch));
    if (!commitAtEnd) await folding.commit();
    if (restart) folding = await open();
  }
  if (commitAtEnd) await folding.commit();
  await readStore.buildIndexes(generation);
  const documents: Record<string, Document[]> = {};
  for (const name of Object.keys(collections)) documents[name] = await readStore.find(generation, name, {});
  await readStore.close();
  return documents;
};

const idsInOrder = (a: Document, b: Document): number => (a.id < b.id ? -1 : 1);
