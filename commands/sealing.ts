import { at, checkKey, isSealed, mapSealedPlaces } from '../domain/check/sealing.ts';
import type { StoredParameters } from '../domain/check/events.ts';
import { Invalid } from '../domain/errors.ts';
import type { Keys } from '../stores/keys/port.ts';

/**
 * Seals the texts of a check's parameters under the check's own key. A text that already stands in
 * `previous` at the same place keeps its sealed form, so that sending a check back unchanged changes
 * nothing.
 *
 * @throws Invalid something other than a text stands where texts are sealed
 */
export const sealParameters = (
  keys: Keys,
  checkId: string,
  parameters: Record<string, unknown>,
  previous: StoredParameters = {},
): Promise<StoredParameters> =>
  mapSealedPlaces(parameters, async (text, { path }) => {
    if (typeof text !== 'string') throw Invalid.field(`parameters.${path.join('.')}`, 'Must be a string.');
    const known = at(previous, path);
    if (isSealed(known) && (await keys.open(known)) === text) return known;
    return keys.seal(checkKey(checkId), text);
  });
