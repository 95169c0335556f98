import type { RecordedEvent } from '../../../domain/event.ts';
import { REGIONS } from '../../../domain/check/regions.ts';
import { creditPeriodOf } from '../../../domain/credits/period.ts';
import { checkResults } from '../../check-results/projection.ts';
import { organizations } from '../../organizations/projection.ts';
import { runners } from '../../runners/projection.ts';
import { findRanges, streamsOfRegion, withoutContent } from './check-results.ts';
import { foldEvents, isRecordedBy, type Loaded, type ResultSources, type ResultsMoment } from './loads.ts';
import { readRange } from './stream-range.ts';

/**
 * Loads the credits that the results of an organization have used at a moment since its month began. The results of
 * definitions that are not stored are in no other read model, so the streams of all public regions are read.
 */
export const loadCredits = async (sources: ResultSources, moment: ResultsMoment): Promise<Loaded> => {
  const { past, present, at, retainedFrom, organizationId } = moment;
  const unknown: Loaded = { models: new Map(), unknown: new Set([organizationId]), events: 0 };
  const { start } = creditPeriodOf(at);
  const organization = await past(organizations).organizations.get(organizationId);
  if (start < retainedFrom && (organization?.created_at ?? '') < retainedFrom) return unknown;
  // The present read model can lag behind the moment, and the past one lacks regions that were added after it.
  const where = { organization_id: organizationId };
  const own = await Promise.all([past, present].map((read) => read(runners).runners.find({ where })));
  const regions = new Set([...REGIONS.map(({ id }) => id), ...own.flat().map(({ region }) => region)]);
  const streams = [...regions].flatMap(streamsOfRegion);
  const from = start < retainedFrom ? retainedFrom : start;
  const ranges = await findRanges(sources, streams, { from, until: at });
  if (ranges === null) return unknown;
  const isOwn = ({ type, data }: RecordedEvent): boolean =>
    type === 'CheckRunCompleted' && (data as { organization_id?: string }).organization_id === organizationId;
  const events: RecordedEvent[] = [];
  for (const range of ranges) {
    const found = await readRange(sources.results, range, (event) => isOwn(event) && isRecordedBy(event, at), {
      convert: withoutContent,
      most: sources.limits.folded - events.length,
    });
    if (found === null) return unknown;
    events.push(...found);
  }
  const model = await foldEvents(checkResults, events, sources.openStore);
  return { models: new Map([[organizationId, model]]), unknown: new Set(), events: events.length };
};
