import type { EventData, EventType } from './event-types.ts';
import { streamOf } from './decider.ts';
import type { DomainEvent } from './event.ts';

/**
 * Maps each event type that starts a new revision of a resource to the event field that contains the id of the
 * resource. Such events change fields that clients set. Other events, such as measurements, statuses set by alerts, and
 * deletions, start no revision.
 */
const REVISING: { [T in EventType]?: keyof EventData[T] & string } = {
  AlertChannelCreated: 'channel_id',
  AlertChannelUpdated: 'channel_id',
  AlertChannelChatMoved: 'channel_id',
  AlertRuleCreated: 'rule_id',
  AlertRuleUpdated: 'rule_id',
  AlertRuleMuted: 'rule_id',
  CheckCreated: 'check_id',
  CheckUpdated: 'check_id',
  CheckGrouped: 'check_id',
  CheckMuted: 'check_id',
  CheckSecretsChanged: 'check_id',
  CheckGroupCreated: 'check_group_id',
  CheckGroupUpdated: 'check_group_id',
  ComponentAdded: 'component_id',
  ComponentUpdated: 'component_id',
  HeartbeatCreated: 'heartbeat_id',
  HeartbeatUpdated: 'heartbeat_id',
  IncidentTemplateCreated: 'incident_template_id',
  IncidentTemplateUpdated: 'incident_template_id',
  PageCreated: 'page_id',
  PageUpdated: 'page_id',
  RunnerCreated: 'runner_id',
  RunnerRenamed: 'runner_id',
  SecretCreated: 'secret_id',
  SecretManagedByChanged: 'secret_id',
  SecretValueChanged: 'secret_id',
};

const fields = new Map<string, string>(Object.entries(REVISING));

/** Returns the id of the resource whose new revision an event starts; null if the event starts no revision. */
export const revisedBy = ({ type, data }: DomainEvent): string | null => {
  const field = fields.get(type);
  return field === undefined ? null : ((data as Record<string, string>)[field] ?? null);
};

/**
 * Returns the number of the revision that an event starts, from 1. Revisions increase with every change but can skip
 * numbers, because the stream also contains events that start no revision.
 *
 * @param event its `revision` is the number of the event in the stream, from 0
 */
export const revisionOf = ({ revision }: { revision: bigint }): number => Number(revision) + 1;

/** A resource with revisions, and the stream that contains its events. */
export interface Revised {
  stream: string;
  id: string;
}

/**
 * Returns a resource whose events are in its own stream or in the stream of another resource.
 *
 * @param id the id of the resource, if it differs from the id of the stream
 */
export const revisedIn = (category: string, streamId: string, id = streamId): Revised => ({
  stream: streamOf(category, streamId),
  id,
});

/** The precondition in the `If-Match` of a request (RFC 9110, 13.1.1). */
export interface Precondition extends Revised {
  /** the revisions that match; null: any revision matches */
  revisions: readonly number[] | null;
  /**
   * whether a command of the request has already met the precondition; later commands of the same request do not check
   * the precondition again
   */
  met: boolean;
}
