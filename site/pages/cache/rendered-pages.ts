import { LRUCache } from 'lru-cache';
import { weakTag } from '../../../http/response.ts';
import { compressText, MIN_COMPRESSED_BYTES } from '../../../http/media/compression.ts';
import type { Encoding } from '../../../http/media/accept-encoding.ts';
import { createBudget } from '../../../http/rate-limit.ts';
import { createShareWork } from '../../../http/shared-work.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import type { PageClock } from '../changes/clock.ts';
import type { PageChanges } from '../changes/page-changes.ts';
import type { PageVersion } from '../changes/page-version.ts';

/** A rendered response in each encoding requested so far. */
export interface Rendered {
  /** weak `ETag`, which is the same for all encodings */
  tag: string;
  body: (encoding: Encoding | null) => Promise<{ bytes: Uint8Array; encoding: Encoding | null }>;
}

/** Cache of rendered responses of status pages. */
export interface RenderedPages {
  /**
   * Returns the result of `make`. It is cached until the page's content changes, but for at most a minute. Concurrent
   * requests share one rendering.
   *
   * @param key identifies the response; different responses must have different keys
   * @param client client whose quota a rendering counts towards; null: no quota applies
   * @throws HttpError 429 the response is not cached, and the client has exceeded its quota for rendering
   */
  of: (
    page: PageDocument,
    key: string,
    make: (version: PageVersion) => Promise<string> | string,
    client: string | null,
  ) => Promise<Rendered>;
}

interface Entry extends Rendered {
  /** version of the page ({@link PageVersion.token}) */
  version: string;
  renderedAt: number;
}

/** Maximum size of all responses in all encodings, in bytes. */
const MOST_BYTES = 64 * 1_048_576;
/** Maximum size of a text that is cached, in bytes. Longer texts are not cached. */
const LONGEST = 16 * 1_048_576;
/** Approximate overhead per entry, in bytes. */
const OVERHEAD = 1_024;
/**
 * The quota of one client, in bytes of rendered text. A page of 50 components has about 100 KB. A page of 500
 * components has 1 MB, and its rendering takes about 100 ms. Cached responses do not count, so visitors who share an
 * address rarely reach the quota. Even a client that requests all combinations of language, time zone, theme and range
 * uses only about a tenth of a processor core.
 */
const PER_CLIENT = {
  perSecond: 1_048_576,
  burst: 64 * 1_048_576,
  message: 'Too many different pages were requested from this address.',
};
/**
 * Minimum number of bytes that a rendering counts towards the quota. Without a minimum, badges would hardly count: a
 * badge is short, but it is rendered from the same documents as a page.
 */
const LEAST_COST = 16_384;
/**
 * Maximum age of a response, in milliseconds. Older responses are rendered again even if the page has not changed,
 * because their content also depends on the current time.
 */
export const MAX_AGE_MS = 60_000;

export const createRenderedPages = (
  changes: Pick<PageChanges, 'follow' | 'versionOf'>,
  clock: PageClock,
  mostBytes = MOST_BYTES,
): RenderedPages => {
  const entries = new LRUCache<string, Entry>({ maxSize: mostBytes, maxEntrySize: mostBytes });
  const share = createShareWork();
  const budget = createBudget(PER_CLIENT, () => clock.monotonic());
  let unfollow: (() => void) | null = null;

  /** Removes expired responses. If no response is left, ends the subscription to changes and the timer. */
  const sweep = (): void => {
    const now = clock.monotonic();
    for (const [key, { renderedAt }] of entries.entries()) if (now - renderedAt >= MAX_AGE_MS) entries.delete(key);
    if (entries.size > 0) clock.after(MAX_AGE_MS, sweep);
    else {
      unfollow?.();
      unfollow = null;
    }
  };

  const isFresh = (entry: Entry | undefined, version: PageVersion): entry is Entry =>
    entry?.version === version.token && clock.monotonic() - entry.renderedAt < MAX_AGE_MS;

  const entryOf = (key: string, text: string, version: string, renderedAt: number): Entry => {
    const identity = Buffer.from(text);
    const tag = weakTag(identity);
    const before = entries.peek(key);
    // The text has not changed, so reuse its compressed bodies.
    if (before?.tag === tag) return { ...before, version, renderedAt };
    const encoded = new Map<Encoding, Promise<Uint8Array>>();
    let size = OVERHEAD + key.length + identity.length;
    const bodyIn = (encoding: Encoding): Promise<Uint8Array> => {
      const known = encoded.get(encoding);
      if (known) return known;
      const made = compressText(identity, encoding).then((bytes) => {
        size += bytes.length;
        const kept = entries.peek(key);
        if (kept?.body === body) entries.set(key, kept, { size });
        return bytes;
      });
      encoded.set(encoding, made);
      return made;
    };
    const body: Rendered['body'] = async (encoding) => {
      if (encoding === null || identity.length < MIN_COMPRESSED_BYTES) return { bytes: identity, encoding: null };
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
        clock.after(MAX_AGE_MS, sweep);
      }
      const version = await changes.versionOf(page);
      const id = `${page.id} ${key}`;
      const known = entries.get(id);
      if (isFresh(known, version)) return known;
      if (client !== null) budget.check(client);
      return share(`${id} ${version.token}`, NEVER_ABORTED, async () => {
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

/**
 * The signal that is passed to renderings. It is never aborted, because several requests share a rendering, which must
 * continue when one client disconnects.
 */
const NEVER_ABORTED = new AbortController().signal;
