import { Type } from '@sinclair/typebox';
import { timeSlices } from '../../../domain/concurrency/time-slices.ts';
import { HOUR_MS, instantOf } from '../../../domain/time.ts';
import { matchesTag } from '../../../http/response.ts';
import { compressResponse } from '../../../http/media/compression.ts';
import { JSON_STREAM } from '../../../http/media/media-types.ts';
import { firstHourAt } from '../../../queries/overview/statistics.ts';
import { OVERVIEW_MODELS, readOverview, type Overview as OverviewPage } from '../../../queries/overview/overview.ts';
import { readOverviewChecks, ROW_MODELS, type OverviewFilters } from '../../../queries/overview/rows.ts';
import { route, type Route } from '../../route.ts';
import { Overview, overviewFilters, overviewPages, overviewSort } from './overview-schema.ts';

/** Number of rows that are encoded before other work gets a chance to run. */
const STEP = 200;

/**
 * Encodes a response with many `checks` as JSON in time slices.
 *
 * @throws the reason of the signal if the signal is aborted
 */
const textOf = async (
  { checks, ...others }: { checks: readonly unknown[] } & Record<string, unknown>,
  signal: AbortSignal,
): Promise<string> => {
  const pause = timeSlices(signal);
  const parts: string[] = [];
  for (let first = 0; first < checks.length; first += STEP) {
    parts.push(JSON.stringify(checks.slice(first, first + STEP)).slice(1, -1));
    await pause();
  }
  return `{"checks":[${parts.join(',')}],${JSON.stringify(others).slice(1)}`;
};

/** Converts query parameters to filters: `group_id=ungrouped` becomes null. */
export const overviewFiltersOf = ({
  group_id,
  ...filters
}: Omit<OverviewFilters, 'group_id'> & { group_id?: string }): OverviewFilters => ({
  ...filters,
  ...(group_id !== undefined && { group_id: group_id === 'ungrouped' ? null : group_id }),
});

export const checkOverviewRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/checks/overview',
    summary: 'List checks as compact rows',
    description: 'Rows contain uptime and response times. By default failing checks come first.',
    tag: 'Checks',
    access: { needs: 'checks.read' },
    query: Type.Object({ ...overviewPages.query, ...overviewFilters, sort: overviewSort }),
    produces: [JSON_STREAM],
    responses: { 200: Overview },
    heavy: true,
    handle: async ({ query, scope, sent, signal, mac, positions, remember }) => {
      const { sort: by = 'status' } = query;
      const hoursFrom = instantOf(firstHourAt(scope.now) * HOUR_MS);
      // The response depends only on these values. So if the client sent a matching ETag, the response need not be
      // built.
      const state = [scope.organizationId, positions(OVERVIEW_MODELS), hoursFrom, scope.resultsFrom(), query];
      const tag = `W/"${await mac('overview', JSON.stringify(state))}"`;
      const body = async (): Promise<string> => {
        if (matchesTag(sent.header('if-none-match'), tag)) return '';
        const all = await remember(ROW_MODELS, 'overview', () => readOverviewChecks(scope));
        let counts: OverviewPage['counts'] | null = null;
        const listed = await overviewPages.body(query, async (paging) => {
          const found = await readOverview(scope, all, { filters: overviewFiltersOf(query), sort: by, paging, signal });
          counts = found.counts;
          return found;
        });
        return textOf({ ...(listed as { checks: unknown[] }), counts, hours_from: hoursFrom }, signal);
      };
      // Compression is safe: rows contain no secrets that their compressed size could reveal (BREACH).
      return compressResponse({ status: 200, tag, body }, sent);
    },
  }),
];
