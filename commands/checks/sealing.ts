import type { CheckTypeName, StoredParameters } from '../../domain/check/events.ts';
import { MASKED_TEXT } from '../../domain/masking.ts';
import { valueAtPath } from '../../domain/check/json-paths.ts';
import { fieldOf, previousPosition, mapSealedTexts, unsealable } from '../../domain/check/sealing.ts';
import { IllegalState, Invalid } from '../../domain/errors.ts';
import { isSealed, type Sealed } from '../../domain/sealed.ts';
import { KeyForgotten, openText, type Keys, type SealLocation } from '../../stores/keys/port.ts';

/** The owner of sealed texts. */
export interface SealingOwner {
  organizationId: string;
  /** name of the check's or the job's key */
  key: string;
  type: CheckTypeName;
}

/**
 * Seals the texts of parameters with the key of their check or job. A text keeps its sealed form if `previous` has the
 * same text at the same path, or if the client has sent the mask of a secret. So a client that sends back a check
 * unchanged changes nothing.
 *
 * @throws Invalid if a value that must be sealed is not a text, or a mask has no stored text
 * @throws IllegalState if the key was deleted, and is never created again
 */
export const sealParameters = (
  keys: Keys,
  { organizationId, key, type }: SealingOwner,
  parameters: Record<string, unknown>,
  previous: StoredParameters = {},
): Promise<StoredParameters> => {
  const errors = unsealable(parameters, type, previous);
  if (Object.keys(errors).length > 0) throw new Invalid({ json: errors });
  return mapSealedTexts(parameters, type, async (value, sealedPlace) => {
    const text = value as string;
    const { path, secret } = sealedPlace;
    const place = { organizationId, field: fieldOf(sealedPlace) };
    const former = previousPosition(sealedPlace, previous);
    const known = valueAtPath(previous, former.path);
    const masked = secret && text === MASKED_TEXT;
    if (isSealed(known)) {
      const stays = former.path === path;
      if (stays && masked) return known;
      const opened = await openText(known, { organizationId, field: fieldOf(former) }, keys);
      if (stays && opened === text) return known;
      // The header was renamed. Its name, including the case, is part of the sealed data, so the text is sealed again.
      if (masked) return seal(keys, key, opened, place);
    }
    // The stored text is not sealed: an earlier release did not seal texts at this path.
    if (typeof known === 'string' && masked) return seal(keys, key, known, place);
    return seal(keys, key, text, place);
  });
};

const seal = async (keys: Keys, key: string, text: string, place: SealLocation): Promise<Sealed> => {
  try {
    return await keys.seal(key, text, place);
  } catch (error) {
    if (!(error instanceof KeyForgotten)) throw error;
    throw new IllegalState(
      'The encryption key of this check was deleted, so no new texts can be stored. Create another check.',
    );
  }
};
