import { Type } from '@sinclair/typebox';
import { INCIDENT_STATUSES } from '../../../domain/incident/statuses.ts';
import type { Instant } from '../../../domain/time.ts';
import { jsonArrayOf, StreamedJson } from '../../../http/streamed-json.ts';
import type { Paging } from '../../../queries/engine/listing.ts';
import type { IncidentFilters, IncidentList, JoinedIncident } from '../../../queries/pages/incidents.ts';
import { requireTimeOrder } from '../../time-order.ts';
import { optionalPages } from '../../optional-pagination.ts';
import { choice, commaList, Id, instantIn } from '../../schema.ts';
import { presentIncident, presentWithoutUpdates } from './present.ts';
import { Incident } from './schema.ts';

const pages = optionalPages({ key: 'incidents', size: 20 });

/** Query parameters of every list of incidents. */
export const listQuery = {
  component_id: Type.Optional({ ...Id, description: 'Only incidents that affect this component.' }),
  since: Type.Optional(instantIn({ description: 'Only incidents created at this time or later.' })),
  until: Type.Optional(instantIn({ end: true, description: 'Only incidents created at this time or earlier.' })),
  updates: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether `incident_updates` is filled. False makes the response much smaller.',
    }),
  ),
  ...pages.query,
};

/** Additional query parameters of lists of regular incidents. */
export const statusQuery = { status: Type.Optional(commaList(choice(INCIDENT_STATUSES))) };

export const listResponses = { 200: pages.answer(Incident) };

interface ListQuery extends Omit<IncidentFilters, 'status'> {
  updates?: boolean;
  page?: number;
  page_size?: number;
  created_until?: Instant;
}

/** @throws Invalid if `until` is before `since` */
export const requireSinceBeforeUntil = ({ since, until }: Pick<ListQuery, 'since' | 'until'>): void => {
  if (since !== undefined && until !== undefined) requireTimeOrder(since, until, 'until');
};

/**
 * Creates the response to a list request: one page, or all incidents as an array if the request has no paging
 * parameters.
 *
 * @param list finds the incidents that match the filters
 */
export const incidentsResponse = (
  { updates = true, ...query }: ListQuery,
  list: (filters: Pick<IncidentFilters, 'component_id' | 'since' | 'until'>) => IncidentList,
): StreamedJson => {
  const present = updates ? presentIncident : presentWithoutUpdates;
  const paging = pages.pagingOf(query);
  const listed = list(filtersIn(query, paging));
  const version = async (): Promise<string> => JSON.stringify([await listed.version(), paging, updates]);
  const shown = async function* (incidents: AsyncGenerator<JoinedIncident>) {
    for await (const joined of incidents) yield present(joined);
  };
  if (!paging) return jsonArrayOf(() => shown(listed.incidents()), version);
  return new StreamedJson(async function* () {
    const { incidents, total } = await listed.page(paging);
    const { beginning, end } = pages.around(paging, total);
    yield beginning;
    yield* jsonArrayOf(() => shown(incidents), version).parts();
    yield end;
  }, version);
};

/** Returns the filters of a request. `until` and `created_until` have the same meaning, so the earlier time is used. */
const filtersIn = ({ component_id, since, until }: ListQuery, paging: Paging | null) => {
  const ends = [until, paging?.until].filter((end) => end !== undefined).sort();
  return {
    ...(component_id !== undefined && { component_id }),
    ...(since !== undefined && { since }),
    ...(ends[0] !== undefined && { until: ends[0] }),
  };
};
