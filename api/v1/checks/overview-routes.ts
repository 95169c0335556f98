import { Type } from '@sinclair/typebox';
import { timeSlices } from '../../../domain/time-slices.ts';
import { instantOf } from '../../../domain/time.ts';
import { isFresh } from '../../../http/answer.ts';
import { compressed } from '../../../http/media/compressed.ts';
import { JSON_STREAM } from '../../../http/media/types.ts';
import { firstHourAt } from '../../../queries/overview/figures.ts';
import { OVERVIEW_MODELS, overviewOf, type Overview as OverviewPage } from '../../../queries/overview/overview.ts';
import { overviewChecks, ROW_MODELS, type OverviewFilters } from '../../../queries/overview/rows.ts';
import { route, type Route } from '../../route.ts';
import { Overview, overviewFilters, overviewPages, sort } from './overview-schema.ts';

const HOUR_MS = 3_600_000;

/** How many rows are encoded in one step. */
const STEP = 200;

/** The JSON of an answer whose `checks` may be many, made in slices. @throws the reason of the signal */
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

/** The filters of a query. */
export const filtersOf = ({
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
    summary: 'List checks as compact rows with their figures, failing ones first',
    tag: 'Checks',
    access: { needs: 'checks.read' },
    query: Type.Object({ ...overviewPages.query, ...overviewFilters, sort }),
    produces: [JSON_STREAM],
    answers: { 200: Overview },
    heavy: true,
    handle: async ({ query, scope, sent, signal, mac, positions, remember }) => {
      const { sort: by = 'status' } = query;
      const hoursFrom = instantOf(firstHourAt(scope.now) * HOUR_MS);
      // Nothing else changes an overview, so one that is unchanged is not made.
      const state = [scope.organizationId, positions(OVERVIEW_MODELS), hoursFrom, scope.resultsFrom(), query];
      const tag = `W/"${await mac('overview', JSON.stringify(state))}"`;
      const body = async (): Promise<string> => {
        if (isFresh(sent.header('if-none-match'), tag)) return '';
        const all = await remember(ROW_MODELS, 'overview', () => overviewChecks(scope));
        let counts: OverviewPage['counts'] | null = null;
        const listed = await overviewPages.body(query, async (paging) => {
          const found = await overviewOf(scope, all, { filters: filtersOf(query), sort: by, paging, signal });
          counts = found.counts;
          return found;
        });
        return textOf({ ...(listed as { checks: unknown[] }), counts, hours_from: hoursFrom }, signal);
      };
      // Rows hold no secret, so that their compressed size says nothing of one.
      return compressed({ status: 200, tag, body }, sent);
    },
  }),
];
