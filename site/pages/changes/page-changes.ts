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

/** Reports changes of status pages while something is derived from them. */
export interface PageChanges {
  /**
   * Follows writes until the returned function is called. Without followers, nothing is tracked.
   *
   * @param listener called for each change; a change may be reported more than once, and as `any` if the page is
   * unknown
   */
  follow: (listener?: (changed: ReportedChange) => void) => () => void;
  /**
   * The version of a page; requires a follower. It includes everything written before the call, except that a page with
   * many changes per second gets a new version twice a second.
   */
  versionOf: (page: PageDocument) => Promise<PageVersion>;
  /** The version, always including everything written before the call. */
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
  /** digest of the document that it was read for */
  digest: string;
  /** how many changes of unknown pages had been reported by then */
  epoch: number;
  /** nothing of the page was written since */
  current: boolean;
  readAt: number;
  /** how often it was read recently; decreases by one every {@link COOLING} */
  heat: number;
}

/** Maximum number of pages with a cached version. */
const MOST_PAGES = 10_000;
/**
 * Number of consecutive reads of a version that are not delayed, and the milliseconds after which each is forgotten.
 */
const MOST_HEAT = 20;
const COOLING = 200;
/** Minimum milliseconds between reads of the version of a page that changes constantly. */
const PAUSE = 500;

/**
 * Tracks page versions through the engine's reports of its writes (`Statuses.onWritten`). If a report names documents,
 * only their pages are read again. Otherwise (in a cluster, after a rebuild, or after deletions), the version of each
 * page is read again when next needed.
 */
export const createPageChanges = ({ statuses, read, mac, clock }: PageChangesDependencies): PageChanges => {
  const known = new LRUCache<string, CachedVersion>({ max: MOST_PAGES });
  const listeners = new Set<(changed: ReportedChange) => void>();
  /** by page; a read that began before a change is not shared after it */
  const reading = new Map<string, { digest: string; found: Promise<PageVersion> }>();
  let epoch = 0;
  let stop: (() => void) | null = null;
  /** settles when the pages affected by the reports so far are known */
  let sorting: Promise<void> | null = null;
  /** the highest reported position of the read models that pages are rendered from */
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
   * Several read models store incidents, their edits and component statuses. While one lags behind another, nothing
   * rendered may be cached.
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
    // Changes from here on invalidate the version before it has been read.
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
