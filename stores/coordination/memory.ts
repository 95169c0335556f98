import { createMemoryEntries } from './memory-entries.ts';
import { createMemoryFailedItems } from './memory-failed-items.ts';
import { isVoidRecord, RESPONSE_RETENTION_MS } from './idempotency.ts';
import { StaleLease, type CatalogueEntry, type EmbeddedCoordination, type IdempotencyRecord } from './port.ts';

/** Coordination in memory, for tests. */
export const createMemoryCoordination = (): EmbeddedCoordination => {
  const tokens = new Map<string, bigint>();
  const records = new Map<string, IdempotencyRecord>();
  const catalogue = new Map<string, CatalogueEntry & { token: bigint }>();
  const values = new Map<string, string>();

  const entryOf = (projection: string) => {
    const entry = catalogue.get(projection) ?? { projection, live: null, last: 0, token: 0n };
    catalogue.set(projection, entry);
    return entry;
  };

  return {
    failedItems: createMemoryFailedItems(),
    entries: createMemoryEntries(),

    async acquire(name, signal) {
      signal.throwIfAborted();
      const token = (tokens.get(name) ?? 0n) + 1n;
      tokens.set(name, token);
      return { name, token, lost: new AbortController().signal, release: async () => undefined };
    },

    async claim(id, fingerprint, now) {
      const existing = records.get(id);
      if (existing && !isVoidRecord(existing, now)) return structuredClone(existing);
      records.set(id, { id, fingerprint, answer: null, created_at: now });
      return null;
    },

    async storeResponse(id, answer) {
      const record = records.get(id);
      if (record) record.answer = structuredClone(answer);
    },

    async abandon(id) {
      if (records.get(id)?.answer === null) records.delete(id);
    },

    async abandonAll() {
      for (const [id, { answer }] of records) if (answer === null) records.delete(id);
    },

    async expire(now) {
      for (const [id, record] of records) if (record.created_at < now - RESPONSE_RETENTION_MS) records.delete(id);
    },

    async catalogue() {
      return [...catalogue.values()]
        .map(({ projection, live, last }) => ({ projection, live, last }))
        .sort((a, b) => (a.projection < b.projection ? -1 : 1));
    },

    async nextGeneration(projection) {
      const entry = entryOf(projection);
      entry.last += 1;
      return entry.last;
    },

    async switchGeneration(projection, generation, token) {
      const entry = entryOf(projection);
      if (token < entry.token) throw new StaleLease(projection, token, entry.token);
      Object.assign(entry, { live: generation, last: Math.max(entry.last, generation), token });
    },

    async removeFromCatalogue(projection, token) {
      const entry = catalogue.get(projection);
      if (entry && token < entry.token) throw new StaleLease(projection, token, entry.token);
      catalogue.delete(projection);
    },

    async read(name) {
      return values.get(name) ?? null;
    },

    async write(name, value) {
      values.set(name, value);
    },

    async writeOnce(name, value) {
      const existing = values.get(name) ?? value;
      values.set(name, existing);
      return existing;
    },

    async readByPrefix(prefix) {
      return [...values]
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, value]) => ({ name, value }))
        .sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
    },

    async close() {
      await Promise.resolve();
    },
  };
};
