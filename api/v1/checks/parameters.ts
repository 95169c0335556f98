import type { CheckTypeName, StoredParameters } from '../../../domain/check/events.ts';
import { MASK } from '../../../domain/check/mask.ts';
import { fieldOf, mapSealedPlaces } from '../../../domain/check/sealing.ts';
import { isSealed } from '../../../domain/sealed.ts';
import { openText, type Keys } from '../../../stores/keys/port.ts';
import type { May } from '../../permissions.ts';

/** Whose parameters are shown, and to whom. */
export interface ShowingParameters {
  organizationId: string;
  type: CheckTypeName;
  keys: Pick<Keys, 'open'>;
  may: May;
}

/**
 * The parameters of a check or a job as a caller may see them: secrets as they were sent to those who may
 * have them revealed, masked to all others (decisions.md: Checks).
 */
export const shownParameters = (
  parameters: StoredParameters,
  { organizationId, type, keys, may }: ShowingParameters,
): Promise<StoredParameters> =>
  mapSealedPlaces(parameters, type, (text, place) => {
    if (place.secret && !may('secrets.reveal')) return MASK;
    return isSealed(text) ? openText(text, { organizationId, field: fieldOf(place) }, keys) : text;
  });
