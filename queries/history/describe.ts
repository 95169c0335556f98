import { CLIENT_ADDRESS, USER_AGENT, type Actor, type RecordedEvent } from '../../domain/event.ts';
import type { EventType } from '../../domain/event-types.ts';
import { unescaped, type Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';
import type { FieldChange } from '../../projections/audit/documents.ts';
import type { AuditSubject } from '../../projections/audit/conventions.ts';
import { auditSubjectOf } from '../../projections/audit/subjects.ts';
import { openText, type Keys } from '../../stores/keys/port.ts';
import { decryptChanges } from '../engine/open-changes.ts';

/** An event as shown in the history of a resource: sealed texts are decrypted, secrets are masked. */
export interface DescribedEvent {
  at: Instant;
  type: string;
  /** Name of the event's action in the audit log, such as `incident.updated`. Null if the audit log omits the event. */
  action: string | null;
  actor: Actor & { name: string | null };
  ip_address: string | null;
  user_agent: string | null;
  changes: Record<string, FieldChange>;
}

/**
 * Describes an event for the history of a resource.
 *
 * @param names display names by id of the possible actors: users and API keys
 * @param subject what the event says about the resource; null if the audit log omits the event
 */
export const describeEvent = async (
  event: RecordedEvent,
  keys: Pick<Keys, 'open'>,
  names: ReadonlyMap<string, string>,
  subject: AuditSubject | null = auditSubjectOf(event),
): Promise<DescribedEvent> => {
  const { actor, client_address, user_agent, recorded_at } = event.metadata;
  const organizationId = event.metadata.organization_id ?? '';
  const open = (sealed: Sealed | undefined, field: string): Promise<string> | null =>
    sealed ? openText(sealed, { organizationId, field }, keys) : null;
  return {
    at: recorded_at,
    type: event.type,
    action: subject?.action ?? null,
    actor: { ...actor, name: names.get(actor.id) ?? null },
    ip_address: await open(client_address, CLIENT_ADDRESS),
    user_agent: await open(user_agent, USER_AGENT),
    changes: unescaped(subject ? await decryptChanges({ keys }, { ...subject, organizationId }) : measured(event)),
  };
};

/**
 * Types of events whose data is shown although the audit log omits them: measurements, and what the service itself
 * recorded about a resource. Data of other event types is not shown, because it can contain secrets.
 */
const MEASURED: ReadonlySet<string> = new Set<EventType>([
  'AlertConditionEnded',
  'AlertMuteEnded',
  'CheckCameUp',
  'CheckRecovered',
  'CheckWentDown',
  'HeartbeatRecovered',
  'HeartbeatWentDown',
  'JobCompleted',
  'JobFailed',
  'ReportRepeated',
  'SubscriberChallengeFailed',
]);

/** Returns the data of a measured event without internal ids. Empty for all other events. */
const measured = ({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): Record<string, FieldChange> =>
  MEASURED.has(type)
    ? Object.fromEntries(
        Object.entries(data)
          .filter(([field, value]) => value !== null && !field.endsWith('_id'))
          .map(([field, value]: [string, unknown]) => [field, { old: null, new: value }]),
      )
    : {};
