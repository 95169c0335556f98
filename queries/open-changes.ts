import { fieldOf, mapSealedPlaces } from '../domain/check/sealing.ts';
import { isSealed } from '../domain/sealed.ts';
import type { Change } from '../projections/audit/documents.ts';
import { openText } from '../stores/keys/port.ts';
import type { Scope } from './scope.ts';

/** What changed, and the organization it belongs to. */
export interface ChangesOf {
  organizationId: string;
  resource_type: string;
  changes: Record<string, Change>;
}

/**
 * What changed, with the sealed texts in the parameters of a check or a job opened. Anything else that looks like a
 * sealed text was sent by a caller.
 */
export const openChanges = async (
  { keys }: Pick<Scope, 'keys'>,
  { organizationId, resource_type, changes }: ChangesOf,
): Promise<Record<string, Change>> => {
  const { parameters, ...others } = changes;
  if (!parameters || (resource_type !== 'check' && resource_type !== 'job')) return changes;
  const open = async (given: unknown): Promise<unknown> =>
    typeof given !== 'object' || given === null
      ? given
      : mapSealedPlaces(given as Record<string, unknown>, null, (text, place) =>
          isSealed(text) && !place.secret ? openText(text, { organizationId, field: fieldOf(place) }, keys) : text,
        );
  return { ...others, parameters: { old: await open(parameters.old), new: await open(parameters.new) } };
};
