import { createBroadcast } from '../../../http/media/broadcast.ts';
import type { AttachedStream } from '../../../http/media/content.ts';
import { eventText } from '../../../http/media/event-stream.ts';
import type { Instant } from '../../../domain/time.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { pages } from '../../../projections/pages/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import { isOpenToEveryone } from '../../../domain/page/access.ts';
import type { PageClock } from '../changes/clock.ts';
import type { ReportedChange, PageChanges } from '../changes/page-changes.ts';
import { CHANGE_KINDS, type ChangeKind, type PageVersion } from '../changes/page-version.ts';

/** The visitor who opened a stream. */
export interface LiveVisitor {
  page: PageDocument;
  /** checked before anything is sent about a page with restricted access */
  maySee: (page: PageDocument, now: Instant) => Promise<boolean>;
}

/** Event streams of changes to status pages. */
export interface LiveStreams {
  /**
   * Opens an event stream that begins with `ready`, or with `changed` if the page has changed since.
   *
   * @param since token of the visitor's version; null: the current one
   */
  open: (visitor: LiveVisitor, since: string | null) => Promise<AttachedStream>;
}

/** The event of a change: `event: changed`, with the version's token as its id. */
export interface ChangedEvent {
  kinds: readonly ChangeKind[];
  /** incidents and maintenances that changed, as far as known; empty: any */
  ids: readonly string[];
}

export interface LiveStreamsDependencies {
  changes: PageChanges;
  read: Read;
  clock: PageClock;
  /** wall clock time, as for requests */
  instant: () => Instant;
}

/** A comment for proxies, and an event for scripts, which can't see comments. */
const HEARTBEAT = `:\n${eventText({ event: 'beat', data: '0' })}`;
/** Milliseconds between heartbeats, because proxies close idle connections, and between checks of access rights. */
export const HEARTBEAT_MS = 15_000;
/** Milliseconds between two messages about one page, and before a failed check is retried. */
const GAP = 500;
const RETRY = 2_000;
/** Number of pages checked concurrently when any page may have changed. */
const AT_ONCE = 8;
/** Maximum number of ids in a message. */
const MOST_IDS = 20;
/** Milliseconds until a browser reconnects, with jitter. */
const RECONNECT = { least: 2_000, spread: 4_000 };

/** A page with open streams. */
interface WatchedPage {
  /** the version that its streams know */
  version: PageVersion;
  ids: Set<string>;
  /** waiting to be checked */
  due: boolean;
  toldAt: number;
}

/**
 * All streams of a process share one follower of writes and one timer while there are any streams. A page is checked
 * when it may have changed, and a message is sent only if its version differs.
 */
export const createLiveStreams = ({ changes, read, clock, instant }: LiveStreamsDependencies): LiveStreams => {
  const streams = createBroadcast<LiveVisitor['maySee']>();
  const watched = new Map<string, WatchedPage>();
  const queue: string[] = [];
  let looking = 0;
  let unfollow: (() => void) | null = null;

  const look = async (pageId: string, page: WatchedPage): Promise<void> => {
    const document = await read(pages).pages.get(pageId);
    if (!document || document.deleted_at !== null) {
      streams.close(pageId);
      return;
    }
    const version = await changes.newestOf(document);
    const { version: before } = page;
    if (version.token === before.token) return;
    const kinds = CHANGE_KINDS.filter((kind) => version.parts[kind] !== before.parts[kind]);
    const ids = page.ids.size > MOST_IDS ? [] : [...page.ids];
    Object.assign(page, { version, ids: new Set(), toldAt: clock.monotonic() });
    await streams.publish(pageId, changedText(version, { kinds, ids }), mayOf(document));
  };

  /** Null: the page is public. */
  const mayOf = (page: PageDocument): ((maySee: LiveVisitor['maySee']) => Promise<boolean>) | undefined =>
    isOpenToEveryone(page) ? undefined : (maySee) => maySee(page, instant());

  const work = async (): Promise<void> => {
    looking += 1;
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const page = watched.get(id);
      if (!page) continue;
      page.due = false;
      try {
        await look(id, page);
      } catch {
        mark(id, page, RETRY);
      }
    }
    looking -= 1;
  };

  /** Schedules a check of a page, immediately or after a pause. */
  const mark = (id: string, page: WatchedPage, pause = page.toldAt + GAP - clock.monotonic()): void => {
    if (page.due) return;
    page.due = true;
    const enqueue = (): void => {
      queue.push(id);
      if (looking < AT_ONCE) void work();
    };
    if (pause > 0) clock.after(pause, enqueue);
    else enqueue();
  };

  const take = (changed: ReportedChange): void => {
    if (changed === 'any') {
      for (const [id, page] of watched) mark(id, page);
      return;
    }
    const page = watched.get(changed.pageId);
    if (!page) return;
    if (changed.kind === 'incidents') for (const id of changed.ids) page.ids.add(id);
    mark(changed.pageId, page);
  };

  const beat = (): void => {
    const open = new Set(streams.channels());
    for (const id of watched.keys()) if (!open.has(id)) watched.delete(id);
    if (open.size === 0) {
      unfollow?.();
      unfollow = null;
      return;
    }
    for (const id of open) void beatOf(id);
    clock.after(HEARTBEAT_MS, beat);
  };

  const beatOf = async (id: string): Promise<void> => {
    try {
      const document = await read(pages).pages.get(id);
      if (document) await streams.publish(id, HEARTBEAT, mayOf(document));
    } catch {
      // The read models are unavailable, so no other messages are sent meanwhile.
      await streams.publish(id, HEARTBEAT);
    }
  };

  const follow = (): void => {
    if (unfollow) return;
    unfollow = changes.follow(take);
    clock.after(HEARTBEAT_MS, beat);
  };

  return {
    open: async ({ page, maySee }, since) => {
      follow();
      const version = await changes.newestOf(page);
      return streams.stream(page.id, maySee, () => {
        follow();
        const known = watched.get(page.id) ?? { version, ids: new Set(), due: false, toldAt: -GAP };
        watched.set(page.id, known);
        // It may have been written since the version was read.
        mark(page.id, known);
        const isMissed = (since !== null && since !== version.token) || known.version.token !== version.token;
        const event = isMissed ? changedText(version, { kinds: CHANGE_KINDS, ids: [] }) : readyText(version);
        return `retry: ${RECONNECT.least + Math.floor(Math.random() * RECONNECT.spread)}\n${event}`;
      });
    },
  };
};

const changedText = ({ token }: PageVersion, event: ChangedEvent): string =>
  eventText({ event: 'changed', id: token, data: JSON.stringify(event) });

const readyText = ({ token }: PageVersion): string => eventText({ event: 'ready', id: token, data: '{}' });
