import type { RecordedEvent } from '../../domain/event.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { audit } from '../../projections/audit/projection.ts';
import { openText } from '../../stores/keys/port.ts';
import { nameOf } from '../audit.ts';
import type { Scope } from '../engine/scope.ts';

/** Returns display names by id: the names of API keys, and the first and last name or the e-mail of users. */
export const actorNames = async (
  { read, keys, organizationId }: Pick<Scope, 'read' | 'keys' | 'organizationId'>,
  events: readonly RecordedEvent[],
): Promise<Map<string, string>> => {
  const open = (sealed: Sealed | null, field: string): Promise<string> | null =>
    sealed && openText(sealed, { organizationId, field }, keys);
  const actors = new Map(events.map(({ metadata: { actor } }) => [`${actor.kind}:${actor.id}`, actor.id]));
  const names = new Map<string, string>();
  for (const { id, name, person } of await read(audit).resource_names.getMany([...actors.keys()])) {
    const shown = name ?? (person && (await nameOf(person, open)));
    if (shown !== null) names.set(actors.get(id) ?? '', shown);
  }
  return names;
};
