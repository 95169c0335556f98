import type {
  Checkpoint,
  CollectionDeclaration,
  Document,
  Generation,
  ReadStore,
  Write,
  WriterLease,
} from '../../../stores/read-store/port.ts';

/** A store under test. */
export interface OpenedReadStore {
  /** the store, opened for writing and reading */
  store: ReadStore;
  /** opens the same store again for writing and reading; durable adapters only */
  again?: () => Promise<ReadStore>;
  /** opens the same store with the adapter for reading; absent if one adapter both reads and writes */
  reader?: () => Promise<ReadStore>;
  dispose: () => Promise<void>;
}

export type ContractTest = (
  sentence: string,
  /** `generation` belongs to this test and is not open yet */
  run: (given: Omit<OpenedReadStore, 'dispose'> & { generation: Generation }) => Promise<void>,
) => void;

/** A document with fields of every kind. */
export type Fields = Document & Record<string, unknown>;

export const at = (position: bigint): Checkpoint => ({
  log_id: 'log-1',
  position,
  event_id: `event-${position}`,
});

/** The lease of the projector in tests. */
export const HOLDER: WriterLease = { name: 'projection', token: 1n };

/** Opens the collection `things` and writes documents to it. */
export const openThings = async (
  store: ReadStore,
  generation: Generation,
  documents: readonly Fields[],
  declaration: CollectionDeclaration = { indexes: [] },
): Promise<void> => {
  await store.open(generation, { things: declaration });
  await store.commit(generation, { things: documents.map((put) => ({ put })) }, at(1n));
};

export const commitThings = (
  store: ReadStore,
  generation: Generation,
  writes: readonly Write[],
  position = 2n,
): Promise<void> => store.commit(generation, { things: writes }, at(position));

export const idsOf = (documents: readonly Document[]): string[] => documents.map(({ id }) => id);
