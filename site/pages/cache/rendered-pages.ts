import { LRUCache } from 'lru-cache';
import { weakTag } from '../../../http/answer.ts';
import { encodedText, WORTH_COMPRESSING } from '../../../http/media/compressed.ts';
import type { Encoding } from '../../../http/media/encoding.ts';
import { createBudget } from '../../../http/rate-limit.ts';
import { createShareWork } from '../../../http/shared-work.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import type { PageClock } from '../changes/clock.ts';
import type { PageChanges } from '../changes/page-changes.ts';
import type { PageVersion } from '../changes/page-version.ts';

/** A rendered answer, in each encoding that was requested. */
export interface Rendered {
  /** weak: the same in all encodings */
  tag: string;
  body: (encoding: Encoding | null) => Promise<{ bytes: Uint8Array; encoding: Encoding | null }>;
}

/** Rendered answers of status pages. */
export interface RenderedPages {
  /**
   * What `make` renders, or has rendered before while nothing that the page shows has changed, within a minute.
   * Concurrent requests render it once.
   *
   * @param key of what is rendered; two answers that differ need different keys
   * @param client as whom the visitor is counted; null: not at all
   * @throws HttpError 429 it would have to be rendered, and others were rendered for this client already
   */
  of: (
    page: PageDocument,
    key: string,
    make: (version: PageVersion) => Promise<string> | string,
    client: string | null,
  ) => Promise<Rendered>;
}

interface Entry extends Rendered {
  /** of the page ({@link PageVersion.token}) */
  version: string;
  renderedAt: number;
}

/** Bytes of all answers together, in all encodings. */
const MOST_BYTES = 64 * 1_048_576;
/** Bytes of a text: longer ones are rendered each time. */
const LONGEST = 16 * 1_048_576;
/** About what an entry takes besides. */
const OVERHEAD = 1_024;
/**
 * Bytes of rendered text that one client may cause. A page of 50 components has about 100 KB, one of 500 has 1 MB and
 * takes about 100 ms; visitors who share an address share what is rendered, too. One who goes through all combinations of
 * language, zone, theme and range takes about a tenth of a core.
 */
const PER_CLIENT = {
  perSecond: 1_048_576,
  burst: 64 * 1_048_576,
  message: 'Too many different pages were requested from this address.',
};
/** Bytes that any text counts as: what a badge shows is short, and is read from the same documents. */
const LEAST_COST = 16_384;
/** Milliseconds: so old an answer is rendered again even if nothing was written, since it also shows times and days. */
export const LONGEST_KEPT = 60_000;

export const createRenderedPages = (
  changes: Pick<PageChanges, 'follow' | 'versionOf'>,
  clock: PageClock,
  mostBytes = MOST_BYTES,
): RenderedPages => {
  const entries = new LRUCache<string, Entry>({ maxSize: mostBytes, maxEntrySize: mostBytes });
  const share = createShareWork();
  const budget = createBudget(PER_CLIENT, () => clock.monotonic());
  let unfollow: (() => void) | null = null;

  /** Nothing is followed and no timer runs once all answers are too old to be served. */
  const sweep = (): void => {
    const now = clock.monotonic();
    for (const [key, { renderedAt }] of entries.entries()) if (now - renderedAt >= LONGEST_KEPT) entries.delete(key);
    if (entries.size > 0) clock.after(LONGEST_KEPT, sweep);
    else {
      unfollow?.();
      unfollow = null;
    }
  };

  const isFresh = (entry: Entry | undefined, version: PageVersion): entry is Entry =>
    entry?.version === version.token && clock.monotonic() - entry.renderedAt < LONGEST_KEPT;

  const entryOf = (key: string, text: string, version: string, renderedAt: number): Entry => {
    const identity = Buffer.from(text);
    const tag = weakTag(identity);
    const before = entries.peek(key);
    // Bodies that are compressed already.
    if (before?.tag === tag) return { ...before, version, renderedAt };
    const encoded = new Map<Encoding, Promise<Uint8Array>>();
    let size = OVERHEAD + key.length + identity.length;
    const bodyIn = (encoding: Encoding): Promise<Uint8Array> => {
      const known = encoded.get(encoding);
      if (known) return known;
      const made = encodedText(identity, encoding).then((bytes) => {
        size += bytes.length;
        const kept = entries.peek(key);
        if (kept?.body === body) entries.set(key, kept, { size });
        return bytes;
      });
      encoded.set(encoding, made);
      return made;
    };
    const body: Rendered['body'] = async (encoding) => {
      if (encoding === null || identity.length < WORTH_COMPRESSING) return { bytes: identity, encoding: null };
      return { bytes: await bodyIn(encoding), encoding };
    };
    sizes.set(body, () => size);
    return { tag, body, version, renderedAt };
  };
  const sizes = new WeakMap<Rendered['body'], () => number>();

  return {
    of: async (page, key, make, client) => {
      if (!unfollow) {
        unfollow = changes.follow();
        clock.after(LONGEST_KEPT, sweep);
      }
      const version = await changes.versionOf(page);
      const id = `${page.id} ${key}`;
      const known = entries.get(id);
      if (isFresh(known, version)) return known;
      if (client !== null) budget.check(client);
      return share(`${id} ${version.token}`, NOBODY_LEAVES, async () => {
        const renderedAt = clock.monotonic();
        const text = await make(version);
        if (client !== null) budget.spend(client, Math.max(text.length, LEAST_COST));
        const entry = entryOf(id, text, version.token, renderedAt);
        const size = sizes.get(entry.body)?.() ?? 0;
        if (text.length <= LONGEST && unfollow) entries.set(id, entry, { size });
        return entry;
      });
    },
  };
};

/** What one has begun to render, others use as well. */
const NOBODY_LEAVES = new AbortController().signal;
