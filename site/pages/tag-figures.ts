import { LRUCache } from 'lru-cache';
import type { Scope } from '../../queries/engine/scope.ts';
import { hourlyResponseTimes, type ResponseTimesByHour } from '../../queries/pages/hourly-response-times.ts';
import { findChecksDown } from '../../queries/pages/measurements.ts';
import {
  findChecksOfTags,
  readMeasurementsOfTags,
  type TagMeasurements,
} from '../../queries/pages/tag-measurements.ts';
import type { PageClock } from './changes/clock.ts';

/**
 * Reads figures of all checks with certain tags. The figures are read once for all renderings of a page, because they
 * can require reading thousands of documents, and are the same in all languages, time zones and themes.
 */
export interface TagFigures {
  measured: (scope: Scope, tags: readonly string[]) => Promise<TagMeasurements>;
  /** Returns whether any of the checks is down. */
  anyDown: (scope: Scope, tags: readonly string[]) => Promise<boolean>;
  responseTimes: (scope: Scope, tag: string, hours: number) => Promise<ResponseTimesByHour>;
}

/** Maximum age of cached figures, in milliseconds. */
const LONGEST_KEPT = 20_000;
/** Maximum number of cached results. Each has a few hundred numbers. */
const MOST_KEPT = 500;

export const createTagFigures = (clock: Pick<PageClock, 'monotonic'>): TagFigures => {
  const kept = new LRUCache<string, { figures: Promise<unknown>; readAt: number }>({ max: MOST_KEPT });

  const once = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const now = clock.monotonic();
    const known = kept.get(key);
    if (known && now - known.readAt < LONGEST_KEPT) return known.figures as Promise<T>;
    const figures = read();
    kept.set(key, { figures, readAt: now });
    figures.catch(() => {
      if (kept.get(key)?.figures === figures) kept.delete(key);
    });
    return figures;
  };
  const keyOf = (what: string, { organizationId }: Scope, ...names: readonly (string | number)[]): string =>
    JSON.stringify([what, organizationId, ...names]);

  return {
    measured: (scope, tags) => once(keyOf('measured', scope, ...tags), () => readMeasurementsOfTags(scope, tags)),
    anyDown: (scope, tags) =>
      once(keyOf('down', scope, ...tags), async () => {
        const tagged = await findChecksOfTags(scope, tags);
        const down = await findChecksDown(scope, [...new Set([...tagged.values()].flat())]);
        return down.size > 0;
      }),
    responseTimes: (scope, tag, hours) =>
      once(keyOf('times', scope, tag, hours), async () => {
        const tagged = await findChecksOfTags(scope, [tag]);
        return hourlyResponseTimes(scope, tagged.get(tag) ?? [], hours);
      }),
  };
};
