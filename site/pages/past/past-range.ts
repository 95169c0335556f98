import { millisecondsOf, type Instant } from '../../../domain/time.ts';
import type { PageDocument } from '../../../projections/pages/documents.ts';
import type { FramePast } from '../../../views/status/frame.ts';

/** Returns the past states that visitors of a page may choose; null: none. */
export const pastOf = (page: PageDocument, now: Instant): FramePast | null =>
  page.allow_history ? { ...rangeOf(page, now), shown: null } : null;

/** Returns the moments between which visitors may choose. */
export const rangeOf = ({ created_at }: PageDocument, now: Instant): Pick<FramePast, 'from' | 'until'> => {
  const until = Math.floor(millisecondsOf(now) / 1_000);
  return { from: Math.min(until, Math.ceil(millisecondsOf(created_at) / 1_000)), until };
};
