import { decryptChanges } from '../../queries/engine/open-changes.ts';
import { auditSubjectOf } from '../../projections/audit/subjects.ts';
import type { FieldChange } from '../../projections/audit/documents.ts';
import { CLIENT_ADDRESS, USER_AGENT, type Actor, type RecordedEvent } from '../../domain/event.ts';
import { isFields } from '../../domain/fields.ts';
import { unescaped, type Sealed } from '../../domain/sealed.ts';
import type { Instant } from '../../domain/time.ts';
import { openText, type Keys } from '../../stores/keys/port.ts';
import { COMMAND_LINE } from '../../service/command-line.ts';
import { escaped } from '../../service/output.ts';

/** An event as the history shows it: sealed texts decrypted, secrets masked. */
export interface DescribedEvent {
  at: Instant;
  type: string;
  /** its action name in the audit log; null if the event has no actor */
  action: string | null;
  actor: Actor & { name: string | null };
  ip_address: string | null;
  user_agent: string | null;
  changes: Record<string, FieldChange>;
}

/**
 * Describes an event.
 *
 * @param names names by id of what the event may refer to: API keys, components
 */
export const describeEvent = async (
  event: RecordedEvent,
  keys: Keys,
  names: ReadonlyMap<string, string>,
): Promise<DescribedEvent> => {
  const { actor, client_address, user_agent, recorded_at } = event.metadata;
  const subject = auditSubjectOf(event);
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
    changes: unescaped(subject ? await decryptChanges({ keys }, { ...subject, organizationId }) : measured(event.data)),
  };
};

/** The data of an event that is not in the audit log, without internal ids. */
const measured = (data: object): Record<string, FieldChange> =>
  Object.fromEntries(
    Object.entries(data)
      .filter(([field, value]) => value !== null && !field.endsWith('_id'))
      .map(([field, value]: [string, unknown]) => [field, { old: null, new: value }]),
  );

/** Lines for a terminal: when, what and who, followed by one line for each changed value. */
export const formatEvent = (event: DescribedEvent, names: ReadonlyMap<string, string>): string[] => [
  `${event.at.slice(0, 10)} ${event.at.slice(11, 23)} UTC  ${sentence(event.type)}, by ${who(event)}`,
  ...Object.entries(event.changes)
    .flatMap(([field, change]) => leaves(field, change, names))
    .map((line) => `    ${line}`),
];

/** `IncidentUpdateAppended` → `Incident update appended` */
const sentence = (type: string): string =>
  type
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase());

const who = ({ actor, ip_address, user_agent }: DescribedEvent): string => {
  const from = [ip_address, user_agent].filter((part) => part !== null).map(escaped);
  return `${by(actor)}${from.length === 0 ? '' : `, from ${from.join(', ')}`}`;
};

const by = ({ kind, id, role, name }: DescribedEvent['actor']): string => {
  if (kind === 'system') return id === COMMAND_LINE ? 'the command line' : `the system (${id})`;
  const called = kind === 'api_key' ? 'API key' : 'user';
  const details = [...(name === null ? [] : [id]), ...(role === null ? [] : [role])].join(', ');
  return `${called} ${escaped(name ?? id)}${details === '' ? '' : ` (${details})`}`;
};

/** `parameters.http_request.method: GET → POST`: only the differing values, at any depth. */
const leaves = (path: string, change: FieldChange, names: ReadonlyMap<string, string>): string[] => {
  const { old: before, new: after } = change;
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  if (isFields(before) || isFields(after)) {
    const [old, now] = [isFields(before) ? before : {}, isFields(after) ? after : {}];
    const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    if (fields.length > 0) {
      return fields.flatMap((field) =>
        leaves(`${path}.${names.get(field) ?? field}`, { old: old[field] ?? null, new: now[field] ?? null }, names),
      );
    }
  }
  const label = escaped(path);
  if (before === null) return [`${label}: ${shown(after)}`];
  return [`${label}: ${shown(before)} → ${after === null ? 'nothing' : shown(after)}`];
};

/** Escapes a value to one line. */
const shown = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? escaped(value) : JSON.stringify(value);
