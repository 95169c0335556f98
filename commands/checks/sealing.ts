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
 * Seals the texts of a definition's parameters under its own key. A text that equals the one in `previous` at the same
 * path keeps its sealed form, and so does a secret that is sent back masked. So sending back a check as it was read
 * changes nothing.
 *
 * @throws Invalid a value that must be sealed is not a text, or a mask has no stored text
 * @throws IllegalState the key was deleted, and is never created again
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
      // The renamed header needs a new sealed text: the header's name, with its case, is part of the sealed data.
      if (masked) return seal(keys, key, opened, place);
    }
    // This text was stored before texts at this path were sealed.
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
