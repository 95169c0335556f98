import { at, isSealed, mapSealedPlaces, MASK } from '../domain/check/sealing.ts';
import type { StoredParameters } from '../domain/check/events.ts';
import type { Sealed } from '../domain/event.ts';
import { IllegalState, Invalid } from '../domain/errors.ts';
import { KeyForgotten, type Keys } from '../stores/keys/port.ts';

/**
 * Seals the texts of a definition's parameters under its own key, a check's or a job's. A text that
 * already stands in `previous` at the same place keeps its sealed form, and so does a secret that is sent
 * back masked, so that sending a check back as it was read changes nothing.
 *
 * @throws Invalid something other than a text stands where texts are sealed
 * @throws IllegalState the key was forgotten, and a key is never made again
 */
export const sealParameters = (
  keys: Keys,
  key: string,
  parameters: Record<string, unknown>,
  previous: StoredParameters = {},
): Promise<StoredParameters> =>
  mapSealedPlaces(parameters, async (text, { path, secret }) => {
    if (typeof text !== 'string') throw Invalid.field(`parameters.${path.join('.')}`, 'Must be a string.');
    const known = at(previous, path);
    if (isSealed(known) && ((secret && text === MASK) || (await keys.open(known)) === text)) return known;
    return seal(keys, key, text);
  });

const seal = async (keys: Keys, key: string, text: string): Promise<Sealed> => {
  try {
    return await keys.seal(key, text);
  } catch (error) {
    if (!(error instanceof KeyForgotten)) throw error;
    throw new IllegalState('The key of this check was deleted, so it can take no new texts. Create another check.');
  }
};
