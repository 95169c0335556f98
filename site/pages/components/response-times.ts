import type { ComponentDocument } from '../../../projections/components/documents.ts';
import { hourlyResponseTimes } from '../../../queries/pages/hourly-response-times.ts';
import { checksOfTags } from '../../../queries/pages/tag-measurements.ts';
import type { ResponseTimesView } from '../../../views/status/chart.tsx';
import type { PageVisit } from '../page-route.ts';

/** Hours of response times. */
const HOURS = 72;

/** The response times of what a component names: its check, or all checks with its tag; null: it shows none. */
export const responseTimesOf = async (
  scope: PageVisit['scope'],
  { check_id, check_tag, show_response_times }: ComponentDocument,
): Promise<ResponseTimesView | null> => {
  if (!show_response_times) return null;
  if (check_id !== null) return hourlyResponseTimes(scope, [check_id], HOURS);
  if (check_tag === null) return null;
  const tagged = await checksOfTags(scope, [check_tag]);
  return hourlyResponseTimes(scope, tagged.get(check_tag) ?? [], HOURS);
};
