import { LRUCache } from 'lru-cache';
import type { Mac } from '../../../domain/signed-token.ts';
import { components } from '../../../projections/components/projection.ts';
import type { Statuses } from '../../../projections/engine/status/statuses.ts';
import type { WriteReport } from '../../../projections/engine/status/write-reports.ts';
import { incidentEdits } from '../../../projections/incident-edits/projection.ts';
import { incidents } from '../../../projections/incidents/projection.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import { pages } from '../../../projections/pages/projection.ts';
import type { Read } from '../../../projections/readers.ts';
import type { PageClock } from './clock.ts';
import { affectedPages, isRelevant, type PageChange } from './affected-pages.ts';
import { digestOfPage, readVersion, type PageVersion } from './page-version.ts';

/** What may have changed: one page, or any page. */
export type ReportedChange = PageChange | 'any';

/** Reports changes of status pages, and provides versions of their content. */
export interface PageChanges {
  /**
   * Follows changes until the returned function is called. While there are no followers, changes are not tracked.
   *
   * @param listener called for each change; it may be called several times for one change, and receives `any` if the
   * affected page is unknown
   */
  follow: (listener?: (changed: ReportedChange) => void) => () => void;
  /**
   * Returns the version of a page. There must be a follower. If a page changes many times per second, it gets a new
   * version at most twice a second. For all other pages, the version includes everything written before the call.
   */
  versionOf: (page: PageDocument) => Promise<PageVersion>;
  /** Returns the version of a page. It always includes everything written before the call. */
  newestOf: (page: PageDocument) => Promise<PageVersion>;
}

export interface PageChangesDependencies {
  statuses: Pick<Statuses, 'of' | 'onWritten'>;
  read: Read;
  mac: Mac;
  clock: Pick<PageClock, 'monotonic'>;
}

interface CachedVersion {
  version: PageVersion;
  /** digest of the page document for which the version was read */
  digest: string;
  /** number of reports without a page that had arrived when the version was read */
  epoch: number;
  /** false if the page was written after the version was read */
  current: boolean;
  readAt: number;
  /** number of recent reads of the version; decreases by one every {@link COOLING} milliseconds */
  heat: number;
}

/** Maximum number of pages with a cached version. */
const MOST_PAGES = 10_000;
/**
 * After this many recent reads of a version, further reads are delayed. `COOLING`: time after which a read no longer
 * counts as recent, in milliseconds.
 */
const MOST_HEAT = 20;
const COOLING = 200;
/** Minimum time between two reads of the version of a page that changes constantly, in milliseconds. */
const PAUSE = 500;

/**
 * Tracks the versions of pages. The projection engine reports its writes (`Statuses.onWritten`). If a report names
 * documents, only the versions of their pages are read again. A report names no documents in a cluster, after a rebuild
 * and after deletions. After such a report, the version of every page is read again when it is next needed.
 */
export const createPageChanges = ({ statuses, read, mac, clock }: PageChangesDependencies): PageChanges => {
  const known = new LRUCache<string, CachedVersion>({ max: MOST_PAGES });
  const listeners = new Set<(changed: ReportedChange) => void>();
  /**
   * reads in progress, by page id. A request that was received after a change does not use a read that began before the
   * change
   */
  const reading = new Map<string, { digest: string; found: Promise<PageVersion> }>();
  let epoch = 0;
  let stop: (() => void) | null = null;
  /** resolves when the pages affected by all previous reports are known; null if they are known */
  let sorting: Promise<void> | null = null;
  /** highest reported position of the read models from which pages are rendered */
  let reported = 0n;

  const tell = (changed: ReportedChange): void => {
    if (changed === 'any') {
      epoch += 1;
      reading.clear();
    } else {
      reading.delete(changed.pageId);
      const one = known.peek(changed.pageId);
      if (one) one.current = false;
    }
    for (const listener of [...listeners]) listener(changed);
  };

  const take = (written: WriteReport): void => {
    if (!isRelevant(written)) return;
    if (written.projection !== pages.name && written.position > reported) reported = written.position;
    const found = affectedPages(written, read);
    if (!(found instanceof Promise)) {
      for (const changed of found) tell(changed);
      return;
    }
    const before = sorting;
    const own = Promise.all([found.catch((): ReportedChange[] => ['any']), before]).then(([those]) => {
      if (sorting === own) sorting = null;
      for (const changed of those) tell(changed);
    });
    sorting = own;
  };

  /**
   * Returns an empty text if the read models from which pages are rendered agree, and otherwise their positions. They
   * can differ because one change of an incident is written to several read models, one after another. A page that was
   * rendered between these writes must not be cached.
   */
  const positions = (): string => {
    const all = RENDERED_FROM.map((name) => statuses.of(name).position);
    return all.every((position) => position >= reported) ? '' : all.join(' ');
  };

  const isCurrent = (one: CachedVersion, page: PageDocument): boolean =>
    one.current && one.epoch === epoch && one.version.positions === positions() && one.digest === digestOfPage(page);

  const readAgain = (page: PageDocument): Promise<PageVersion> => {
    const digest = digestOfPage(page);
    const underWay = reading.get(page.id);
    if (underWay?.digest === digest) return underWay.found;
    const now = clock.monotonic();
    const before = known.get(page.id);
    const heat = before ? Math.max(0, before.heat - (now - before.readAt) / COOLING) : 0;
    const began = { digest, epoch, current: true, readAt: now, heat: heat + 1 };
    // Set the entry before the version is read, so that changes during the read invalidate it.
    const marker: CachedVersion = { ...began, version: before?.version ?? NOTHING_KNOWN, digest: '' };
    known.set(page.id, marker);
    const end = (): void => {
      if (reading.get(page.id)?.found === found) reading.delete(page.id);
    };
    const found = readVersion(read, mac, page, positions()).then(
      (version) => {
        end();
        if (known.peek(page.id) === marker) known.set(page.id, { ...marker, digest, version });
        return version;
      },
      (error: unknown) => {
        end();
        if (known.peek(page.id) === marker) known.delete(page.id);
        throw error;
      },
    );
    reading.set(page.id, { digest, found });
    return found;
  };

  const newestOf = async (page: PageDocument): Promise<PageVersion> => {
    if (sorting) await sorting;
    const one = known.get(page.id);
    return one && isCurrent(one, page) ? one.version : readAgain(page);
  };

  return {
    follow: (listener = () => undefined) => {
      const own = (changed: ReportedChange): void => {
        listener(changed);
      };
      listeners.add(own);
      stop ??= statuses.onWritten(take);
      return () => {
        listeners.delete(own);
        if (listeners.size > 0) return;
        stop?.();
        stop = null;
        epoch += 1;
        known.clear();
        reading.clear();
      };
    },
    versionOf: async (page) => {
      const one = known.get(page.id);
      const isPaused =
        one !== undefined &&
        one.heat > MOST_HEAT &&
        clock.monotonic() - one.readAt < PAUSE &&
        one.digest === digestOfPage(page);
      return isPaused ? one.version : newestOf(page);
    },
    newestOf,
  };
};

const RENDERED_FROM = [incidents.name, components.name, incidentEdits.name];

const NOTHING_KNOWN: PageVersion = { parts: { page: '', components: '', incidents: '' }, positions: '', token: '' };
