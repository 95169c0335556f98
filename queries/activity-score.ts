import { instantOf, millisecondsOf, type Instant } from '../domain/time.ts';
import { incidents } from '../projections/incidents/projection.ts';
import type { Read } from '../projections/readers.ts';

const THIRTY_DAYS = 30 * 24 * 60 * 60 * 1_000;

/** How many incident updates a page had in the last 30 days (decisions.md: Status pages). */
export const activityScore = (read: Read, pageId: string, now: Instant): Promise<number> =>
  read(incidents).incident_updates.count({
    page_id: pageId,
    created_at: { $gte: instantOf(millisecondsOf(now) - THIRTY_DAYS) },
  });
