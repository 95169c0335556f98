import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { CheckServer } from '../../domain/check-result/events.ts';
import { resultTime } from '../../domain/check-result/result-time.ts';
import { derivedId } from '../../domain/identity.ts';
import { collection, defineProjection } from '../engine/fold/define.ts';
import { creditDayId, withCharge, type CreditDayDocument } from './credit-days.ts';
import type { CheckResultDocument, CheckServerDocument, ExcludedResultDocument } from './documents.ts';
import {
  checkHourId,
  organizationHourId,
  withOutcome,
  withResult,
  type CheckHourDocument,
  type CountedResult,
  type OrganizationHourDocument,
} from './hours.ts';

type Result = RecordedEventOf<'CheckRunCompleted'>;

/** Splits the server data of a result: the offset of its clock is stored in the result, all other data separately. */
const serverOf = ({ data: { check_server } }: Result): { server: CheckServer; clock_offset_ms?: number } => {
  const { clock_offset_ms, ...server_metadata } = check_server.server_metadata;
  if (typeof clock_offset_ms !== 'number') return { server: check_server };
  return { server: { ...check_server, server_metadata }, clock_offset_ms };
};

const serverKey = (server: CheckServer): string => derivedId(JSON.stringify(server));

const dayOf = (instant: string): string => instant.slice(0, 10);

/**
 * Returns the data of a result that the hourly sums need. Returns null for a suspect result, and for a run of an
 * unsaved definition.
 */
const counted = (event: Result): CountedResult | null => {
  const { check_id, organization_id, region, status, response_time, suspect } = event.data;
  if (check_id === undefined || suspect === true) return null;
  return { check_id, organization_id, region, status, response_time, created_at: resultTime(event) };
};

/**
 * Returns the entry of a result that does not count for all purposes; null if the result counts for all purposes, or
 * belongs to no check.
 */
const excluded = (event: Result): ExcludedResultDocument | null => {
  const { result_id: id, check_id, execution_group_id, late, outdated, suspect } = event.data;
  if (check_id === undefined || (late ?? outdated ?? suspect) !== true) return null;
  return {
    id,
    check_id,
    ...(execution_group_id !== undefined && { execution_group_id }),
    created_at: resultTime(event),
    ...(late === true && { late }),
    ...(outdated === true && { outdated }),
    ...(suspect === true && { suspect }),
  };
};

/**
 * Results of checks, without duplicates. If a run is delivered twice, its result is appended twice, and only the first
 * of these two events counts (docs/decisions/0017-results-expect-any-revision.md). The hourly counts and daily credits
 * are part of this projection, because only this projection knows which results are duplicates.
 */
export const checkResults = defineProjection({
  name: 'check_results',
  version: 3,
  log: 'results',
  collections: {
    check_results: collection<CheckResultDocument>({
      // The first index contains the fields that lists filter by, so results can be counted without reading documents.
      // It also contains the response times, from which five-minute values are computed
      // (queries/check-results/response-times.ts). The second index serves the lists of an organization and the sweep.
      // Each index takes about 70 bytes per result, and its pages are full, because results arrive in index order.
      indexes: [
        { check_id: 1, created_at: 1, status: 1, region: 1, response_time: 1 },
        { created_at: 1, organization_id: 1 },
      ],
      expires: { field: 'created_at' },
    }),
    // Copies of the few results that fired an alert. Without them, a list of such results would read every result.
    alerted_results: collection<CheckResultDocument>({
      indexes: [{ created_at: 1, organization_id: 1 }],
      expires: { field: 'created_at' },
    }),
    // The few results that count for no alert rule. Simulations of rules read all results from an index alone, and
    // leave out the results in this short list, so they need not read each result.
    excluded_results: collection<ExcludedResultDocument>({
      indexes: [{ check_id: 1, created_at: 1 }],
      expires: { field: 'created_at' },
    }),
    check_servers: collection<CheckServerDocument>({ indexes: [], expires: { field: 'seen_at' } }),
    check_hours: collection<CheckHourDocument>({
      indexes: [{ check_id: 1, hour: 1 }],
      expires: { field: 'hour' },
    }),
    organization_hours: collection<OrganizationHourDocument>({
      indexes: [{ organization_id: 1, hour: 1 }],
      expires: { field: 'hour' },
    }),
    credit_days: collection<CreditDayDocument>({ indexes: [{ changed_position: 1 }], expires: { field: 'day' } }),
  },
  documents: (event) => {
    if (event.type === 'ResultRaisedAlert') {
      const ids = [event.data.result_id];
      return { check_results: ids, alerted_results: ids };
    }
    const result = counted(event);
    return {
      check_results: [event.data.result_id],
      check_servers: [serverKey(serverOf(event).server)],
      credit_days: [creditDayId(event.data.organization_id, event.metadata.recorded_at)],
      ...(excluded(event) && { excluded_results: [event.data.result_id] }),
      ...(result && { check_hours: [checkHourId(result)], organization_hours: [organizationHourId(result)] }),
    };
  },
  on: {
    CheckRunCompleted: (event, models) => {
      const { check_results, check_servers, check_hours, organization_hours, credit_days } = models;
      const { data, metadata, position } = event;
      if (check_results.get(data.result_id)) return;
      const { execution_id, execution_group_id, reason } = data;
      const { server: check_server, ...offset } = serverOf(event);
      const server = serverKey(check_server);
      const created_at = resultTime(event);
      check_results.put({
        id: data.result_id,
        check_id: data.check_id ?? null,
        organization_id: data.organization_id,
        check_type: data.check_type,
        region: data.region,
        ...(data.result_type === 'on_demand' && { result_type: data.result_type }),
        ...(execution_id !== undefined && { execution_id }),
        ...(execution_group_id !== undefined && { execution_group_id }),
        ...(data.suspect === true && { suspect: data.suspect }),
        created_at,
        status: data.status,
        ...(reason !== undefined && { reason }),
        response_time: data.response_time,
        ...(data.error_message !== null && { error_message: data.error_message }),
        server,
        ...offset,
        check_metadata: data.check_metadata,
      });
      const known = check_servers.get(server);
      // Update `seen_at`, which decides when the document expires, once a day.
      if (!known || dayOf(known.seen_at) < dayOf(created_at))
        check_servers.put({ id: server, check_server, seen_at: created_at });
      const exclusion = excluded(event);
      if (exclusion) models.excluded_results.put(exclusion);
      const { organization_id, credits } = data;
      const { recorded_at } = metadata;
      const day = creditDayId(organization_id, recorded_at);
      credit_days.put(withCharge(credit_days.get(day), { organization_id, credits, recorded_at, position }));
      const result = counted(event);
      if (!result) return;
      check_hours.put(withResult(check_hours.get(checkHourId(result)), result));
      organization_hours.put(withOutcome(organization_hours.get(organizationHourId(result)), result));
    },
    ResultRaisedAlert: ({ data: { result_id, alert_id: id, title } }, { check_results, alerted_results }) => {
      const result = check_results.get(result_id);
      const { triggered_alerts = [] } = result ?? {};
      // Skip a result that the retention has removed, and a duplicate event.
      if (!result || triggered_alerts.some((alert) => alert.id === id)) return;
      const alerted = { ...result, triggered_alerts: [...triggered_alerts, { id, title }], has_alerts: true } as const;
      check_results.put(alerted);
      alerted_results.put(alerted);
    },
  },
});
