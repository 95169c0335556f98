import type { CheckTypeName } from './events.ts';
import { MASKED_TEXT } from '../masking.ts';
import { isFields, type Fields } from '../fields.ts';
import { valueAtPath, pathsIn } from './json-paths.ts';
import type { SealedTexts } from './types/check-type.ts';
import { CHECK_TYPES, checkTypeOf, EVERY_SEALED_TEXT } from './types/index.ts';
import { web } from './types/web.ts';

/** The path of a text in a check's parameters, or in the metadata of a result. */
export interface TextPosition {
  path: readonly [string, ...string[]];
  /** shown as {@link MASKED_TEXT} to all but editors and admins */
  secret: boolean;
}

/** The field that a sealed text is bound to, the same in every copy of the parameters. */
export const fieldOf = ({ path }: TextPosition): string => `parameters.${path.join('.')}`;

/**
 * The sealed texts of each type. Definitions may have parameters that their type does not know, so the credentials of
 * `http_request` are sealed in all types.
 */
const sealedTexts: ReadonlyMap<CheckTypeName | null, readonly SealedTexts[]> = new Map(
  CHECK_TYPES.map(({ name, sealed }) => [name, [...new Set([...web.sealed, ...sealed])]]),
);

/**
 * The paths of texts in a check's parameters that are sealed.
 *
 * @param type the type of the check; null if unknown, then all texts that any type seals
 */
export const sealedPositions = (parameters: Fields, type: CheckTypeName | null): TextPosition[] =>
  placesIn(parameters, sealedTexts.get(type) ?? EVERY_SEALED_TEXT);

/** The paths in `fields` that match the patterns of `texts`. */
const placesIn = (fields: Fields, texts: readonly SealedTexts[]): TextPosition[] => {
  const places: TextPosition[] = [];
  for (const { path: pattern, secret } of texts) {
    // A fast path: this runs for every run and every result, most of which have no such field.
    if (fields[pattern[0]] === undefined && pattern[0] !== '*') continue;
    for (const [first = '', ...rest] of pathsIn(fields, pattern)) {
      const isSecret = typeof secret === 'boolean' ? secret : secret(rest.at(-1) ?? first);
      places.push({ path: [first, ...rest], secret: isSecret });
    }
  }
  return places;
};

/** A copy with {@link MASKED_TEXT} at every secret path. */
export const withMaskedTexts = (fields: Fields, places: readonly TextPosition[]): Fields => {
  const secret = places.filter((place) => place.secret);
  if (secret.length === 0) return fields;
  const copy = structuredClone(fields);
  for (const { path } of secret) (valueAtPath(copy, path.slice(0, -1)) as Fields)[path.at(-1) ?? ''] = MASKED_TEXT;
  return copy;
};

/** The `check_metadata` of a type as shown to viewers. */
export const maskedMetadata = (metadata: Fields, type: CheckTypeName): Fields => {
  const { publicMetadata, secretMetadata } = checkTypeOf(type);
  const shown = publicMetadata(metadata);
  return withMaskedTexts(shown, placesIn(shown, secretMetadata));
};

/** The path of a text in the previous parameters. It differs if only the case of a header's name changed. */
export const previousPosition = ({ path, secret }: TextPosition, previous: Fields): TextPosition => {
  const [parent, name] = [path.slice(0, -1), path.at(-1) ?? ''];
  const headers = valueAtPath(previous, parent);
  if (parent.at(-1) !== 'headers' || !isFields(headers) || Object.hasOwn(headers, name)) return { path, secret };
  const same = Object.keys(headers).find((other) => other.toLowerCase() === name.toLowerCase());
  if (same === undefined) return { path, secret };
  const [first, ...between] = path;
  return { path: [first, ...between.slice(0, -1), same], secret };
};

/**
 * Finds values that can't be sealed: values other than texts, and {@link MASKED_TEXT} where no text is stored.
 *
 * @returns error messages by field; empty if all can be sealed
 */
export const unsealable = (parameters: Fields, type: CheckTypeName, previous: Fields): Record<string, string[]> =>
  Object.fromEntries(
    sealedPositions(parameters, type).flatMap((place) => {
      const text = valueAtPath(parameters, place.path);
      if (typeof text !== 'string') return [[fieldOf(place), ['Must be a string.']]];
      if (
        !place.secret ||
        text !== MASKED_TEXT ||
        valueAtPath(previous, previousPosition(place, previous).path) !== undefined
      )
        return [];
      return [[fieldOf(place), [`No stored text matches ${MASKED_TEXT}. Send the whole text.`]]];
    }),
  );

/** A copy of parameters with every text that is sealed replaced by the result of `transform`. */
export const mapSealedTexts = async (
  parameters: Fields,
  type: CheckTypeName | null,
  transform: (value: unknown, place: TextPosition) => unknown,
): Promise<Fields> => {
  const places = sealedPositions(parameters, type);
  if (places.length === 0) return parameters;
  const copy = structuredClone(parameters);
  await Promise.all(
    places.map(async (place) => {
      const parent = valueAtPath(copy, place.path.slice(0, -1)) as Fields;
      const name = place.path.at(-1) ?? '';
      parent[name] = await transform(parent[name], place);
    }),
  );
  return copy;
};

/** Name of the key that seals a check's texts. */
export const checkKey = (checkId: string): string => `check-${checkId}`;
