import type { CheckTypeName, StoredParameters } from '../../domain/check/events.ts';
import { MASK } from '../../domain/check/mask.ts';
import { fieldOf, mapSealedPlaces, maskedMetadata } from '../../domain/check/sealing.ts';
import { isSealed } from '../../domain/sealed.ts';
import type { CheckResultDocument } from '../../projections/check-results/documents.ts';
import { openText } from '../../stores/keys/port.ts';
import type { Scope } from '../scope.ts';

/** What those see who may have secrets revealed, and what all others do (decisions.md: Checks). */
export interface Revealing {
  /** secrets are as they were sent; else masked */
  reveal: boolean;
}

/** A check or a job, as far as its parameters are concerned. */
export interface Parametrized {
  organization_id: string;
  type: CheckTypeName;
  parameters: StoredParameters;
}

/** The parameters of a check or a job with their sealed texts opened, secrets revealed or masked. */
export const openParameters = (
  { keys }: Pick<Scope, 'keys'>,
  { organization_id: organizationId, type, parameters }: Parametrized,
  { reveal }: Revealing,
): Promise<StoredParameters> =>
  mapSealedPlaces(parameters, type, (text, place) => {
    if (place.secret && !reveal) return MASK;
    return isSealed(text) ? openText(text, { organizationId, field: fieldOf(place) }, keys) : text;
  });

/** What a run found out, secrets revealed or masked. */
export const revealedMetadata = (
  { check_type, check_metadata }: Pick<CheckResultDocument, 'check_type' | 'check_metadata'>,
  { reveal }: Revealing,
): Record<string, unknown> => (reveal ? check_metadata : maskedMetadata(check_metadata, check_type));
