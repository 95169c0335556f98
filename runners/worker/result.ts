import { LRUCache } from 'lru-cache';
import type { CheckResultEvent, CheckServer } from '../../domain/check-result/events.ts';
import type { CheckTypeName } from '../../domain/check/events.ts';
import { definitionKey } from '../../domain/check/definition-key.ts';
import type { Region } from '../../domain/check/regions.ts';
import { creditsOf } from '../../domain/credits/costs.ts';
import type { NewEvent } from '../../domain/event.ts';
import { derivedId, derivedUuid } from '../../domain/identity.ts';
import { systemEvent } from '../../domain/system-event.ts';
import { instantOf } from '../../domain/time.ts';
import type { Outcome } from '../../probes/engine/check-type.ts';
import { lateAfter, type RunMessage } from '../run-message.ts';

/** Returns the id of a run's result in a region. Repeated deliveries of the run lead to the same id. */
export const resultIdOf = (runId: string, region: Region): string => derivedId(`result/${runId}/${region.id}`);

/**
 * Caches definition keys by the JSON of the definition, because a check usually runs with the same definition many
 * times.
 */
const keys = new LRUCache<string, string>({
  max: 2_000,
  maxSize: 4_000_000,
  sizeCalculation: (_, json) => json.length,
});

const keyOf = ({ type, url, host, port, parameters }: RunMessage['definition']): string => {
  const json = JSON.stringify({ type, url, host, port, parameters });
  const known = keys.get(json);
  if (known !== undefined) return known;
  const key = definitionKey({ type, url, host, port, parameters });
  keys.set(json, key);
  return key;
};

/** The facts about a run that its result contains. They can be sent to a runner and returned by it. */
export interface ResultSubject {
  /** null if the definition belongs to no check */
  check_id: string | null;
  organization_id: string;
  type: CheckTypeName;
  /** key that distinguishes the definitions of a check; null if the definition belongs to no check */
  definition: string | null;
  /** when the run was due, milliseconds since 1970 */
  slot: number;
  result_type: RunMessage['result_type'];
  execution_id: string | null;
  execution_group_id: string | null;
  /** a result that is recorded after this time is late, milliseconds since 1970 */
  late_after: number;
}

export const subjectOf = (message: RunMessage): ResultSubject => {
  const { check_id, organization_id, slot, result_type, execution_id, execution_group_id, definition } = message;
  const about = { check_id, organization_id, slot, result_type, execution_id, execution_group_id };
  const key = check_id === null ? null : keyOf(definition);
  return { ...about, type: definition.type, definition: key, late_after: lateAfter(message) };
};

/** Maximum number of characters in a stored error message. */
const MAX_MESSAGE = 1_000;

export interface Recording {
  /** the id from {@link resultIdOf} */
  resultId: string;
  region: Region;
  server: CheckServer;
  /** when the outcome is recorded, milliseconds since 1970 */
  now: number;
  /** when the run ended, milliseconds since 1970; absent if the run ended just before `now` */
  ranAt?: number;
  /** whether the check was changed after the run was requested */
  outdated: boolean;
  /** whether this runner is cut off from its own network */
  suspect: boolean;
}

/** Returns the event that stores an outcome. */
export const resultEvent = (
  runId: string,
  subject: ResultSubject,
  outcome: Outcome,
  { resultId, region, server, now, ranAt, outdated, suspect }: Recording,
): NewEvent<CheckResultEvent> => {
  const { check_id, organization_id, execution_id, execution_group_id, type, definition } = subject;
  return systemEvent(
    {
      type: 'CheckRunCompleted',
      data: {
        result_id: resultId,
        ...(check_id !== null && { check_id }),
        organization_id,
        check_type: type,
        ...(definition !== null && { definition }),
        run_id: runId,
        slot: instantOf(subject.slot),
        result_type: subject.result_type,
        ...(execution_id !== null && { execution_id }),
        ...(execution_group_id !== null && { execution_group_id }),
        ...(now > subject.late_after && { late: true }),
        ...(ranAt !== undefined && { ran_at: instantOf(Math.min(ranAt, now)) }),
        ...(outdated && { outdated: true }),
        ...(suspect && { suspect: true }),
        region: region.id,
        status: outcome.status,
        ...(outcome.reason !== null && { reason: outcome.reason }),
        response_time: outcome.response_time,
        error_message: outcome.error_message?.slice(0, MAX_MESSAGE) ?? null,
        credits: creditsOf(type),
        check_server: server,
        check_metadata: outcome.check_metadata,
      },
    },
    {
      id: derivedUuid(`result/${runId}/${region.id}`),
      by: 'runner',
      organizationId: organization_id,
      causeId: runId,
      commandId: runId,
      now: instantOf(now),
    },
  );
};
