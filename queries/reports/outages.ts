import { MAX_LISTED, type ComponentOutage } from '../../domain/report/content.ts';
import { mergeSpans, NO_TIME_SPANS, type TimeSpans } from '../../domain/report/time-spans.ts';
import { millisecondsOf, type Instant } from '../../domain/time.ts';
import { checkStatusHistory, type CheckStatusDocument } from '../../projections/check-status-history/projection.ts';
import type { CheckDocument } from '../../projections/checks/documents.ts';
import type { Scope } from '../engine/scope.ts';

/** The outages of a check within a period. */
export interface Outages {
  count: number;
  /** Time spans of the outages, limited to the period. */
  spans: TimeSpans;
  /** Outages, newest first. Truncated if there are very many. */
  listed: ComponentOutage[];
}

const AT_ONCE = 1_000;

/**
 * Returns the overlap of two periods as start and end in milliseconds since 1970, or an empty list if there is none.
 */
export const overlapOf = (
  start: Instant,
  end: Instant,
  { from, to }: { from: Instant; to: Instant },
): [] | [number, number] => {
  const first = Math.max(millisecondsOf(start), millisecondsOf(from));
  const last = Math.min(millisecondsOf(end), millisecondsOf(to) + 1);
  return first < last ? [first, last] : [];
};

/** Returns the whole seconds from one instant to another. */
export const secondsBetween = (start: Instant, end: Instant): number =>
  Math.max(0, Math.round((millisecondsOf(end) - millisecondsOf(start)) / 1_000));

/** Reads when and why a check was down in a period, newest first (docs/reference/reports.md#outages). */
export const readOutages = async (
  { read, now }: Pick<Scope, 'read' | 'now'>,
  { id: check_id, name }: Pick<CheckDocument, 'id' | 'name'>,
  time: { from: Instant; to: Instant },
  pause: () => Promise<void>,
): Promise<Outages> => {
  const { check_statuses } = read(checkStatusHistory);
  const outages: Outages = { count: 0, spans: NO_TIME_SPANS, listed: [] };
  const newestFirst: [number, number][] = [];
  for (let before: Instant | null = null; ;) {
    const page: CheckStatusDocument[] = await check_statuses.find({
      where: {
        check_id,
        started_at: before === null ? { $lte: time.to } : { $lt: before },
        $or: [{ ended_at: null }, { ended_at: { $gte: time.from } }],
      },
      sort: { started_at: -1 },
      limit: AT_ONCE,
    });
    for (const { status, started_at, ended_at, cause } of page) {
      if (status !== 'down') continue;
      outages.count += 1;
      const [start, end] = overlapOf(started_at, ended_at ?? now, time);
      if (start !== undefined && end !== undefined) newestFirst.push([start, end]);
      if (outages.listed.length >= MAX_LISTED) continue;
      const duration = secondsBetween(started_at, ended_at ?? now);
      outages.listed.push({ check_id, check_name: name, started_at, ended_at, duration, cause });
    }
    const last = page.at(-1);
    if (!last || page.length < AT_ONCE) {
      return { ...outages, spans: mergeSpans(NO_TIME_SPANS, newestFirst.reverse().flat()) };
    }
    before = last.started_at;
    await pause();
  }
};
