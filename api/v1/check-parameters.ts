import type { StoredParameters } from '../../domain/check/events.ts';
import { isSealed, mapSealedPlaces, MASK } from '../../domain/check/sealing.ts';
import type { Role } from '../../domain/event.ts';
import type { Keys } from '../../stores/keys/port.ts';
import { WRITERS } from '../route.ts';

/**
 * The parameters of a check as a caller may see them: passwords and the values of secret headers as
 * they were sent to editors and admins, masked to all others (decisions.md: Checks).
 */
export const shownParameters = (
  parameters: StoredParameters,
  keys: Pick<Keys, 'open'>,
  role: Role | null,
): Promise<StoredParameters> => {
  const seesSecrets = role !== null && WRITERS.includes(role);
  return mapSealedPlaces(parameters, (text, { secret }) => {
    if (secret && !seesSecrets) return MASK;
    return isSealed(text) ? keys.open(text) : text;
  });
};
