import type { RecordedEvent } from '../../../domain/event.ts';
import { laterOf, type Instant } from '../../../domain/time.ts';
import { hourOf, type Tallies } from '../../check-results/hours.ts';
import { checkResults } from '../../check-results/projection.ts';
import { checks } from '../../checks/projection.ts';
import type { FoldedModel } from '../past-read.ts';
import { findRanges, isResultOf, streamsOfRegion, withoutContent } from './check-results.ts';
import { foldEvents, type Loaded, type ResultSources, type ResultsMoment } from './loads.ts';
import { readRange } from './stream-range.ts';

const countOf = (tallies: Tallies): number => Object.values(tallies).reduce((sum, { count }) => sum + count, 0);

/** Maximum number of hours of all checks together, by region. */
const MOST_HOURS = 20_000;

/**
 * Loads the results of checks that were obtained since an instant, and the sums of their hours, at a moment. Fields of
 * results that no sum depends on are empty.
 */
export const loadCheckHours = async (
  sources: ResultSources,
  moment: ResultsMoment,
  ids: readonly string[],
  since: Instant,
): Promise<Loaded> => {
  const { past, present, at, retainedFrom } = moment;
  const existing = await past(checks).checks.getMany(ids);
  // The results before the retention period have been removed.
  const isKnown = ({ created_at }: { created_at: Instant }): boolean =>
    since >= retainedFrom || created_at >= retainedFrom;
  const unknown = new Set(existing.filter((check) => !isKnown(check)).map(({ id }) => id));
  const wanted = existing.map(({ id }) => id).filter((id) => !unknown.has(id));
  const from = laterOf(since, retainedFrom);
  const hours = await present(checkResults).check_hours.pick(['region', 'hour', 'tallies'], {
    where: { check_id: { $in: wanted }, hour: { $gte: hourOf(from), $lte: at } },
    limit: MOST_HOURS,
  });
  // The hours before that of the moment can only have grown since then because of late results, which are few.
  const count = hours.reduce((sum, { hour, tallies }) => sum + (hour < hourOf(at) ? countOf(tallies) : 0), 0);
  const streams = [...new Set(hours.map(({ region }) => region))].flatMap(streamsOfRegion);
  const ranges =
    hours.length === MOST_HOURS || count > sources.limits.folded
      ? null
      : await findRanges(sources, streams, { from, until: at });
  const models = new Map<string, FoldedModel>();
  const tooMany: Loaded = { models, unknown: new Set([...unknown, ...wanted]), events: 0 };
  if (ranges === null) return tooMany;
  const among = new Set(wanted);
  const events = new Map<string, RecordedEvent[]>(wanted.map((id) => [id, []]));
  let folded = 0;
  for (const range of ranges) {
    const found = await readRange(sources.results, range, (event) => isResultOf(among, moment, event), {
      convert: withoutContent,
      most: sources.limits.folded - folded,
    });
    if (found === null) return tooMany;
    for (const event of found) events.get((event.data as { check_id: string }).check_id)?.push(event);
    folded += found.length;
  }
  for (const [id, own] of events) models.set(id, await foldEvents(checkResults, own, sources.openStore));
  return { models, unknown, events: folded };
};
