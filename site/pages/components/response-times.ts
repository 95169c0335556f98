import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { hourlyResponseTimes } from '../../../queries/pages/hourly-response-times.ts';
import type { ResponseTimesView } from '../../../views/status/chart.tsx';
import type { PageVisit } from '../page-route.ts';

/** Length of the period whose response times are shown, in hours. */
const HOURS = 72;

/**
 * Returns the response times of a component's check, or of all checks with its tag. Returns null if the page does not
 * show response times.
 */
export const responseTimesOf = async (
  { scope, tagFigures }: Pick<PageVisit, 'scope' | 'tagFigures'>,
  { check_id, check_tag, show_response_times }: ComponentDocument,
): Promise<ResponseTimesView | null> => {
  if (!show_response_times) return null;
  if (check_id !== null) return hourlyResponseTimes(scope, [check_id], HOURS);
  return check_tag === null ? null : tagFigures.responseTimes(scope, check_tag, HOURS);
};
