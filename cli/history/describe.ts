import type { DescribedEvent } from '../../queries/history/describe.ts';
import type { FieldChange } from '../../projections/audit/documents.ts';
import { isFields } from '../../domain/fields.ts';
import { COMMAND_LINE } from '../../service/command-line.ts';
import { escaped } from '../../service/output.ts';

/**
 * Formats an event for a terminal. The first line contains the time, the type of the event and the actor. Each changed
 * value follows on a line of its own.
 */
export const formatEvent = (event: DescribedEvent, names: ReadonlyMap<string, string>): string[] => [
  `${event.at.slice(0, 10)} ${event.at.slice(11, 23)} UTC  ${eventTitle(event.type)}, by ${who(event)}`,
  ...Object.entries(event.changes)
    .flatMap(([field, change]) => leaves(field, change, names))
    .map((line) => `    ${line}`),
];

/** Converts the name of an event type: `IncidentUpdateAppended` → `Incident update appended`. */
export const eventTitle = (type: string): string =>
  type
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/^./, (first) => first.toUpperCase());

const who = ({ actor, ip_address, user_agent }: DescribedEvent): string => {
  const from = [ip_address, user_agent].filter((part) => part !== null).map(escaped);
  return `${actorText(actor)}${from.length === 0 ? '' : `, from ${from.join(', ')}`}`;
};

/** Formats who caused an event: `user k3v9x0q2m7ab (editor)`. */
export const actorText = ({ kind, id, role, name }: DescribedEvent['actor']): string => {
  if (kind === 'system') return id === COMMAND_LINE ? 'the command line' : `the system (${id})`;
  const called = kind === 'api_key' ? 'API key' : 'user';
  const details = [...(name === null ? [] : [id]), ...(role === null ? [] : [role])].join(', ');
  return `${called} ${escaped(name ?? id)}${details === '' ? '' : ` (${details})`}`;
};

/** Formats the values that differ at any depth, such as `parameters.http_request.method: GET → POST`. */
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

/** Formats a value on one line, with special characters escaped. */
const shown = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? escaped(value) : JSON.stringify(value);
