import type { EventData, EventType } from './event-types.ts';
import { streamOf } from './decider.ts';
import type { DomainEvent } from './event.ts';

/**
 * Event types that start a new revision of a resource: those that change fields which clients set, unlike measurements,
 * holds by alerts, and deletions. The value is the event field with the id of the resource.
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
};

const fields = new Map<string, string>(Object.entries(REVISING));

/** The id of the resource of which an event starts a new revision; null if it starts none. */
export const revisedBy = ({ type, data }: DomainEvent): string | null => {
  const field = fields.get(type);
  return field === undefined ? null : ((data as Record<string, string>)[field] ?? null);
};

/**
 * The revision that an event starts, from 1. Revisions increase with every change, but may skip numbers, since the stream
 * also contains other events.
 *
 * @param event `revision` is its position in the stream, from 0
 */
export const revisionOf = ({ revision }: { revision: bigint }): number => Number(revision) + 1;

/** A resource with revisions, and the stream with its events. */
export interface Revised {
  stream: string;
  id: string;
}

/**
 * A resource in its own stream or in that of another resource.
 *
 * @param id the id of the resource, if it differs from that of the stream
 */
export const revisedIn = (category: string, streamId: string, id = streamId): Revised => ({
  stream: streamOf(category, streamId),
  id,
});

/** The `If-Match` of a request (RFC 9110, 13.1.1). */
export interface Precondition extends Revised {
  /** the revisions that match; null: any */
  revisions: readonly number[] | null;
  /** set by the first command that meets it; later commands of the same request skip the check */
  met: boolean;
}
