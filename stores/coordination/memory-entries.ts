import { newVersion, type Entries, type EntryKind, type StoredEntry } from './entries.ts';

/** Entries in memory, for tests. */
export const createMemoryEntries = (): Entries => {
  const kinds = new Map<EntryKind, Map<string, StoredEntry>>();
  const of = (kind: EntryKind): Map<string, StoredEntry> => {
    const entries = kinds.get(kind) ?? new Map<string, StoredEntry>();
    kinds.set(kind, entries);
    return entries;
  };
  const chosen = (kind: EntryKind, choose: (entry: StoredEntry) => boolean): StoredEntry[] =>
    [...of(kind).values()].filter(choose).map((entry) => ({ ...entry }));

  return {
    async get(kind, id, now) {
      const entry = of(kind).get(id);
      return entry && entry.expires_at > now ? { ...entry } : null;
    },

    async find(kind, ids, now) {
      const wanted = new Set(ids);
      return chosen(kind, ({ id, expires_at }) => wanted.has(id) && expires_at > now);
    },

    async put(kind, { id, value, owner, expires_at }, expected, now) {
      const existing = of(kind).get(id);
      const seen = existing && existing.expires_at > now ? existing.version : null;
      if (seen !== expected) return null;
      const version = newVersion();
      of(kind).set(id, { id, value, owner, expires_at, version });
      return version;
    },

    async putAll(kind, entries) {
      for (const { id, value, owner, expires_at } of entries) {
        of(kind).set(id, { id, value, owner, expires_at, version: newVersion() });
      }
    },

    async remove(kind, id, expected) {
      if (expected !== undefined && of(kind).get(id)?.version !== expected) return false;
      return of(kind).delete(id);
    },

    async listOfOwner(kind, owner, now) {
      return chosen(kind, (entry) => entry.owner === owner && entry.expires_at > now).sort((a, b) =>
        Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)),
      );
    },

    async listExpired(kind, now, limit) {
      return chosen(kind, ({ expires_at }) => expires_at <= now)
        .sort((a, b) => a.expires_at - b.expires_at || Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)))
        .slice(0, limit);
    },

    async clear(kind) {
      kinds.delete(kind);
    },

    async expire(now, keep) {
      for (const [kind, entries] of kinds) {
        if (keep.includes(kind)) continue;
        for (const [id, { expires_at }] of entries) if (expires_at <= now) entries.delete(id);
      }
    },
  };
};
