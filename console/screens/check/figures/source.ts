import type { Schemas } from '../../../api/openapi.d.ts';
import type { LiveSource } from '../../../live/live-data.ts';
import { shownTime } from '../../../parts/times/shown-time.ts';
import { call } from '../../../session/call.ts';
import { reloadedBy } from '../source.ts';
import { isoOf, periodOf, type Period, type Range } from './ranges.ts';
import { countedOf, type Counted } from './uptime.ts';

/** The statistics of a check in a period. */
export interface Figures {
  range: Range;
  period: Period;
  /** response times by bucket and region */
  times: readonly Schemas['ResponseTimes'][];
  /** length of the buckets of `times`, in seconds */
  bucket: number;
  /** numbers of outcomes by bucket and region; buckets are whole hours */
  states: readonly Schemas['StatusBucket'][];
  /** length of the buckets of `states`, in seconds */
  stateBucket: number;
  /** up and down periods, newest first */
  history: readonly Schemas['CheckStatus'][];
  /** outcomes of all runs in the period */
  counted: Counted;
}

/** Maximum page size of a list. */
const PAGE_SIZE = 100;
/**
 * Maximum number of pages of state changes to load. The timeline has too few pixels to show more outages separately.
 */
const MOST_PAGES = 5;

const historyOf = async (
  check_id: string,
  period: { start_date: string },
  signal: AbortSignal,
): Promise<Schemas['CheckStatus'][]> => {
  const history: Schemas['CheckStatus'][] = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const query = { ...period, page, page_size: PAGE_SIZE };
    const answer = await call('GET /v1/checks/{check_id}/status-history', { params: { check_id }, query }, { signal });
    history.push(...answer.status_history);
    if (!answer.pagination.has_next) break;
  }
  return history;
};

/** Counts the outcomes in the last hour. The API's hourly counts are too coarse for this range. */
const countedInHour = async (check_id: string, start_time: string, signal: AbortSignal): Promise<Counted> => {
  const query = { start_time };
  const { uptime_summary: summary } = await call(
    'GET /v1/checks/{check_id}/uptime',
    { params: { check_id }, query },
    { signal },
  );
  return { ok: summary.successful_checks, all: summary.total_checks };
};

/** Returns a source that loads the statistics of the period that ends at the shown time. */
export const figuresSource = (check_id: string, range: Range): LiveSource<Figures> =>
  reloadedBy<Figures>(
    async (signal) => {
      const period = periodOf(range, shownTime());
      const start_date = isoOf(period.from);
      const params = { check_id };
      const [times, states, history, hour] = await Promise.all([
        call('GET /v1/checks/{check_id}/response-times', { params, query: { start_date } }, { signal }),
        call('GET /v1/checks/status-history', { query: { start_date, check_id } }, { signal }),
        historyOf(check_id, { start_date }, signal),
        range === '1h' ? countedInHour(check_id, start_date, signal) : null,
      ]);
      return {
        range,
        period,
        times: times.response_times,
        bucket: times.bucket_seconds,
        states: states.status_history,
        stateBucket: states.bucket_seconds,
        history,
        counted: hour ?? countedOf(states.status_history),
      };
    },
    ['check'],
    ({ id, change }) => id === check_id && change !== 'deleted',
  );
