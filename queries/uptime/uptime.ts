import { Invalid } from '../../domain/errors.ts';
import { calendarOf } from '../../domain/uptime/days.ts';
import { requestedDays, type RangeQuery } from '../../domain/uptime/range.ts';
import type { ComponentDocument } from '../../projections/components/documents.ts';
import type { PageDocument } from '../../projections/pages/documents.ts';
import { findNamedComponents } from '../pages/components.ts';
import type { Scope } from '../engine/scope.ts';
import { readUptimeStatistics, type UptimeStatistics } from './statistics.ts';

/** Days of a page's time zone, and whether the intervals are requested too. */
export interface UptimeQuery extends RangeQuery {
  explain?: boolean;
}

/**
 * Computes the uptime of components and groups of one page, in their order. Days are those of the page's time zone
 * (docs/reference/uptime.md#range).
 *
 * @param signal aborted when the caller does not wait any more
 * @throws Invalid if the range is invalid (domain/uptime/range.ts)
 */
export const readUptimeOf = (
  scope: Pick<Scope, 'read' | 'now'>,
  page: PageDocument,
  components: readonly ComponentDocument[],
  { explain = false, ...range }: UptimeQuery,
  signal?: AbortSignal,
): Promise<UptimeStatistics[]> => {
  const calendar = calendarOf(page.time_zone);
  return readUptimeStatistics(
    scope,
    components,
    { days: requestedDays(range, calendar.dayOf(scope.now)), calendar, explain },
    signal,
  );
};

/**
 * Computes the uptime of components, in the order of their ids.
 *
 * @throws Invalid if the range is invalid or an id is unknown; the error names the unknown ids
 */
export const readUptimeByIds = async (
  scope: Pick<Scope, 'read' | 'now'>,
  page: PageDocument,
  ids: readonly string[],
  range: UptimeQuery,
  signal?: AbortSignal,
): Promise<UptimeStatistics[]> => {
  const named = await findNamedComponents(scope, page.id, ids);
  const inOrder = ids.flatMap((id) => named.get(id) ?? []);
  if (inOrder.length < ids.length) throw new Invalid({ json: brokenIds(ids, named) });
  return readUptimeOf(scope, page, inOrder, range, signal);
};

/** Returns errors for invalid component ids, by field. Values that are not strings are invalid. */
export const invalidComponentIds = async (
  scope: Pick<Scope, 'read'>,
  page: PageDocument,
  ids: readonly unknown[],
): Promise<Record<string, string[]>> => {
  const texts = ids.filter((id): id is string => typeof id === 'string');
  return brokenIds(ids, await findNamedComponents(scope, page.id, texts));
};

const brokenIds = (ids: readonly unknown[], named: ReadonlyMap<unknown, ComponentDocument>): Record<string, string[]> =>
  Object.fromEntries(
    ids.flatMap((id, index) =>
      named.has(id) ? [] : [[`component_ids.${index}`, ['Must be a component of this page.']]],
    ),
  );
