import type { CheckTypeName, StoredParameters } from '../../domain/check/events.ts';
import { isHarmless } from '../../domain/check/harmless-headers.ts';
import { MASK } from '../../domain/check/mask.ts';
import { fieldOf, mapSealedPlaces } from '../../domain/check/sealing.ts';
import { isSealed } from '../../domain/sealed.ts';
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

type Metadata = Record<string, unknown>;

/** What a run found out: where secrets are masked, nothing of a body, and the values of harmless headers alone. */
export const revealedMetadata = (metadata: Metadata, { reveal }: Revealing): Metadata => {
  if (reveal) return metadata;
  const { headers, body_excerpt } = metadata;
  return {
    ...metadata,
    ...(typeof headers === 'object' && headers !== null && { headers: harmlessOnly(headers) }),
    ...(typeof body_excerpt === 'string' && { body_excerpt: MASK }),
  };
};

const harmlessOnly = (headers: object): Metadata =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]: [string, unknown]) => [name, isHarmless(name) ? value : MASK]),
  );
