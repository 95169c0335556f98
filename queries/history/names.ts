import type { EventType, RecordedEventOf } from '../../domain/event-types.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import { audit } from '../../projections/audit/projection.ts';
import { openText } from '../../stores/keys/port.ts';
import type { Scope } from '../engine/scope.ts';

/** Names of components by id, each with its last name. */
export const componentNamesIn = (events: readonly RecordedEvent[]): Map<string, string> => {
  const names = new Map<string, string>();
  for (const event of events as readonly RecordedEventOf<EventType>[]) {
    if (event.type === 'ComponentAdded') names.set(event.data.component_id, event.data.component.name);
    const renamed = event.type === 'ComponentUpdated' ? event.data.changes.name : undefined;
    if (event.type === 'ComponentUpdated' && renamed !== undefined) names.set(event.data.component_id, renamed);
  }
  return names;
};

/** What the actors of events are called by id: API keys by their names, users by first and last name or e-mail. */
export const actorNames = async (
  { read, keys, organizationId }: Pick<Scope, 'read' | 'keys' | 'organizationId'>,
  events: readonly RecordedEvent[],
): Promise<Map<string, string>> => {
  const actors = new Map(events.map(({ metadata: { actor } }) => [`${actor.kind}:${actor.id}`, actor.id]));
  const named = await read(audit).resource_names.getMany([...actors.keys()]);
  const names = new Map<string, string>();
  for (const { id, name, person } of named) {
    const actor = actors.get(id) ?? '';
    if (name !== null) names.set(actor, name);
    if (name !== null || person === null) continue;
    const open = async (field: 'first_name' | 'last_name' | 'email'): Promise<string | null> => {
      const sealed = person[field];
      return sealed && openText(sealed, { organizationId, field }, keys);
    };
    const [first, last] = [await open('first_name'), await open('last_name')];
    const whole = [first, last].filter((part) => part !== null && part !== '').join(' ');
    names.set(actor, whole === '' ? ((await open('email')) ?? actor) : whole);
  }
  return names;
};
