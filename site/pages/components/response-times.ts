import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { hourlyResponseTimes } from '../../../queries/pages/hourly-response-times.ts';
import type { ResponseTimesView } from '../../../views/status/chart.tsx';
import type { PageVisit } from '../page-route.ts';

/** Hours of response times. */
const HOURS = 72;

/** The response times of what a component names: its check, or all checks with its tag; null: it shows none. */
export const responseTimesOf = async (
  { scope, tagFigures }: Pick<PageVisit, 'scope' | 'tagFigures'>,
  { check_id, check_tag, show_response_times }: ComponentDocument,
): Promise<ResponseTimesView | null> => {
  if (!show_response_times) return null;
  if (check_id !== null) return hourlyResponseTimes(scope, [check_id], HOURS);
  return check_tag === null ? null : tagFigures.responseTimes(scope, check_tag, HOURS);
};
