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
  /**
   * returns whether the visitor is allowed to see a version of the page. Called before a message about a page with
   * restricted access is sent
   */
  maySee: (page: PageDocument, now: Instant) => Promise<boolean>;
}

/** Event streams of changes to status pages. */
export interface LiveStreams {
  /**
   * Opens an event stream. Its first event is `ready`, or `changed` if the page has changed after the visitor's
   * version.
   *
   * @param since token of the version that the visitor has; null: the current version
   */
  open: (visitor: LiveVisitor, since: string | null) => Promise<AttachedStream>;
}

/** The event of a change: `event: changed`, with the version's token as its id. */
export interface ChangedEvent {
  kinds: readonly ChangeKind[];
  /** ids of the incidents and maintenances that changed; empty: any of them may have changed */
  ids: readonly string[];
}

export interface LiveStreamsDependencies {
  changes: PageChanges;
  read: Read;
  clock: PageClock;
  /** returns the current time */
  instant: () => Instant;
}

/** A heartbeat. It consists of a comment for proxies, and of an event for scripts, which do not receive comments. */
const HEARTBEAT = `:\n${eventText({ event: 'beat', data: '0' })}`;
/**
 * Interval of heartbeats in milliseconds. Without heartbeats, proxies would close idle connections. At the same
 * interval, access rights are checked again.
 */
export const HEARTBEAT_MS = 15_000;
/**
 * Minimum time between two messages about one page, in milliseconds. `RETRY`: time after which a failed check of a page
 * is retried.
 */
const GAP = 500;
const RETRY = 2_000;
/** Maximum number of pages that are checked concurrently. */
const AT_ONCE = 8;
/** Maximum number of ids in a message. */
const MOST_IDS = 20;
/** Delay before a browser reconnects, in milliseconds: at least `least`, plus a random part of `spread`. */
const RECONNECT = { least: 2_000, spread: 4_000 };

/** A page with open streams. */
interface WatchedPage {
  /** version of the page that the browsers with open streams have received */
  version: PageVersion;
  ids: Set<string>;
  /** whether a check of the page is scheduled */
  due: boolean;
  toldAt: number;
}

/**
 * Creates the event streams of a process. All streams share one follower of changes and one timer, which exist only
 * while there are streams. When a page may have changed, its version is read, and a message is sent only if the version
 * differs.
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

  /** Returns a function that checks whether a visitor is allowed to see the page; undefined: the page is public. */
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

  /** Schedules a check of whether a page has changed, immediately or after a pause. */
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
      // The read models are unavailable, so access rights can't be checked again. Send the heartbeat to all visitors:
      // as long as the read models are unavailable, no messages about changes are sent.
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
        // The page may have been written after its version was read, so schedule another comparison.
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
