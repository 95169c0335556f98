import { regionOf } from '../../../domain/check/regions.ts';
import { streamOf } from '../../../domain/decider.ts';
import type { RecordedEvent } from '../../../domain/event.ts';
import type { Instant } from '../../../domain/time.ts';
import { isRecordedBy, type ResultSources } from './loads.ts';
import { findRange, sizeOfRange, type StreamRange } from './stream-range.ts';

/** Returns the stream of a region's results; an empty list if this release does not know the region. */
export const streamsOfRegion = (id: string): string[] => {
  const region = regionOf(id);
  return region ? [streamOf('check_results', region.aliases[0])] : [];
};

/** Tests whether an event is a result of one of these checks that was recorded by a moment. */
export const isResultOf = (
  ids: ReadonlySet<string>,
  { organizationId, at }: { organizationId: string; at: Instant },
  event: RecordedEvent,
): boolean => {
  if (event.type !== 'CheckRunCompleted' || !isRecordedBy(event, at)) return false;
  const { check_id, organization_id } = event.data as { check_id?: string; organization_id: string };
  return check_id !== undefined && ids.has(check_id) && organization_id === organizationId;
};

/** Returns the ranges of streams that were recorded in a period. Null: they contain too many events. */
export const findRanges = async (
  { results, limits }: ResultSources,
  streams: readonly string[],
  period: { from: Instant; until: Instant },
): Promise<StreamRange[] | null> => {
  const ranges: StreamRange[] = [];
  let size = 0;
  for (const stream of new Set(streams)) {
    const range = await findRange(results, stream, period);
    if (!range) continue;
    size += sizeOfRange(range);
    if (size > limits.read) return null;
    ranges.push(range);
  }
  return ranges;
};

/** Returns a result without the parts that make it large, and that no sum depends on. */
export const withoutContent = (event: RecordedEvent): RecordedEvent => ({
  ...event,
  data: { ...event.data, error_message: null, check_metadata: {}, check_server: NO_SERVER },
});

const NO_SERVER = { id: '', country: '', region: '', ip_address: '', server_metadata: {} };
