import type { CheckTypeName, StoredParameters } from '../../domain/check/events.ts';
import { MASKED_TEXT } from '../../domain/masking.ts';
import { fieldOf, mapSealedTexts, maskedMetadata } from '../../domain/check/sealing.ts';
import { isSealed } from '../../domain/sealed.ts';
import type { CheckResultDocument } from '../../projections/check-results/documents.ts';
import { openText } from '../../stores/keys/port.ts';
import type { Scope } from '../engine/scope.ts';

/** Options for showing secrets (docs/reference/checks.md#secret-values). */
export interface RevealOptions {
  /** Whether secrets are shown as they were sent. Otherwise they are masked. */
  reveal: boolean;
}

/** The fields of a check or a job that are needed to decrypt its parameters. */
export interface StoredDefinition {
  organization_id: string;
  type: CheckTypeName;
  parameters: StoredParameters;
}

/** Decrypts the parameters of a check or a job. Reveals or masks secrets. */
export const decryptParameters = (
  { keys }: Pick<Scope, 'keys'>,
  { organization_id: organizationId, type, parameters }: StoredDefinition,
  { reveal }: RevealOptions,
): Promise<StoredParameters> =>
  mapSealedTexts(parameters, type, (text, place) => {
    if (place.secret && !reveal) return MASKED_TEXT;
    return isSealed(text) ? openText(text, { organizationId, field: fieldOf(place) }, keys) : text;
  });

/** Returns the metadata of a result, with secrets revealed or masked. */
export const showMetadata = (
  { check_type, check_metadata }: Pick<CheckResultDocument, 'check_type' | 'check_metadata'>,
  { reveal }: RevealOptions,
): Record<string, unknown> => (reveal ? check_metadata : maskedMetadata(check_metadata, check_type));
