import { createBroadcast } from '../../../http/media/broadcast.ts';
import type { Attached } from '../../../http/media/content.ts';
import { eventText } from '../../../http/media/event-stream.ts';
import type { Instant } from '../../../domain/time.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { pages } from '../../../projections/pages/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import { isOpenToAll } from '../../../domain/page/visitors.ts';
import type { PageClock } from '../changes/clock.ts';
import type { Changed, PageChanges } from '../changes/page-changes.ts';
import { CHANGE_KINDS, type ChangeKind, type PageVersion } from '../changes/page-version.ts';

/** Who has opened a stream. */
export interface LiveVisitor {
  page: PageDocument;
  /** asked before anything is sent about a page that not everybody sees */
  maySee: (page: PageDocument, now: Instant) => Promise<boolean>;
}

/** Streams of what changes on status pages. */
export interface LiveStreams {
  /**
   * A stream of events that begins with `ready`, or with `changed` if the page has changed since then.
   *
   * @param since token of the version that the visitor has; null: the present one
   */
  open: (visitor: LiveVisitor, since: string | null) => Promise<Attached>;
}

/** What a stream tells of a change: `event: changed`, with the token of the version as its id. */
export interface ChangedEvent {
  kinds: readonly ChangeKind[];
  /** of incidents and maintenances, as far as it is known which; empty: any */
  ids: readonly string[];
}

export interface LiveStreamsDependencies {
  changes: PageChanges;
  read: Read;
  clock: PageClock;
  /** the time of requests */
  instant: () => Instant;
}

/** A comment for proxies, and an event for scripts, which see no comments. */
const SIGN_OF_LIFE = `:\n${eventText({ event: 'beat', data: '0' })}`;
/** Milliseconds between signs of life, since proxies close silent connections, and between checks of who may still see. */
export const BEAT = 15_000;
/** Milliseconds between two messages about one page, and until a failed look at it is repeated. */
const GAP = 500;
const RETRY = 2_000;
/** Pages that are looked at at once, when any may have changed. */
const AT_ONCE = 8;
/** Ids in a message. */
const MOST_IDS = 20;
/** Milliseconds after which a browser comes back: not all of them at once. */
const RECONNECT = { least: 2_000, spread: 4_000 };

/** A page of which streams are open. */
interface Watched {
  /** what its streams have been told */
  version: PageVersion;
  ids: Set<string>;
  /** it waits to be looked at */
  due: boolean;
  toldAt: number;
}

/**
 * All streams of a process share one follower of what is written and one timer, while there are any. A page is looked at
 * when it may have changed, and a message is made only if its version differs.
 */
export const createLiveStreams = ({ changes, read, clock, instant }: LiveStreamsDependencies): LiveStreams => {
  const streams = createBroadcast<LiveVisitor['maySee']>();
  const watched = new Map<string, Watched>();
  const queue: string[] = [];
  let looking = 0;
  let unfollow: (() => void) | null = null;

  const look = async (pageId: string, page: Watched): Promise<void> => {
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

  /** Null: everybody may. */
  const mayOf = (page: PageDocument): ((maySee: LiveVisitor['maySee']) => Promise<boolean>) | undefined =>
    isOpenToAll(page) ? undefined : (maySee) => maySee(page, instant());

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

  /** Has a page looked at, at once or after a pause. */
  const mark = (id: string, page: Watched, pause = page.toldAt + GAP - clock.monotonic()): void => {
    if (page.due) return;
    page.due = true;
    const enqueue = (): void => {
      queue.push(id);
      if (looking < AT_ONCE) void work();
    };
    if (pause > 0) clock.after(pause, enqueue);
    else enqueue();
  };

  const take = (changed: Changed): void => {
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
    clock.after(BEAT, beat);
  };

  const beatOf = async (id: string): Promise<void> => {
    try {
      const document = await read(pages).pages.get(id);
      if (document) await streams.publish(id, SIGN_OF_LIFE, mayOf(document));
    } catch {
      // The read models do not answer; nothing else is sent meanwhile either.
      await streams.publish(id, SIGN_OF_LIFE);
    }
  };

  const follow = (): void => {
    if (unfollow) return;
    unfollow = changes.follow(take);
    clock.after(BEAT, beat);
  };

  return {
    open: async ({ page, maySee }, since) => {
      follow();
      const version = await changes.newestOf(page);
      return streams.stream(page.id, maySee, () => {
        follow();
        const known = watched.get(page.id) ?? { version, ids: new Set(), due: false, toldAt: -GAP };
        watched.set(page.id, known);
        // It may have been written to since the version was read.
        mark(page.id, known);
        const isMissed = (since !== null && since !== version.token) || known.version.token !== version.token;
        const event = isMissed ? changedText(version, { kinds: CHANGE_KINDS, ids: [] }) : readyText(version);
        return `retry: ${(RECONNECT.least + Math.floor(Math.random() * RECONNECT.spread)).toString()}\n${event}`;
      });
    },
  };
};

const changedText = ({ token }: PageVersion, event: ChangedEvent): string =>
  eventText({ event: 'changed', id: token, data: JSON.stringify(event) });

const readyText = ({ token }: PageVersion): string => eventText({ event: 'ready', id: token, data: '{}' });
