import type { CheckTypeName, StoredParameters } from '../../../domain/check/events.ts';
import { fieldOf, mapSealedPlaces, MASK } from '../../../domain/check/sealing.ts';
import type { Role } from '../../../domain/event.ts';
import { isSealed } from '../../../domain/sealed.ts';
import { openText, type Keys } from '../../../stores/keys/port.ts';
import { seesSecrets } from './secrets.ts';

/** Whose parameters are shown, and to whom. */
export interface ShowingParameters {
  organizationId: string;
  type: CheckTypeName;
  keys: Pick<Keys, 'open'>;
  role: Role | null;
}

/**
 * The parameters of a check or a job as a caller may see them: secrets as they were sent to editors and admins,
 * masked to all others (decisions.md: Checks).
 */
export const shownParameters = (
  parameters: StoredParameters,
  { organizationId, type, keys, role }: ShowingParameters,
): Promise<StoredParameters> =>
  mapSealedPlaces(parameters, type, (text, place) => {
    if (place.secret && !seesSecrets(role)) return MASK;
    return isSealed(text) ? openText(text, { organizationId, field: fieldOf(place) }, keys) : text;
  });
