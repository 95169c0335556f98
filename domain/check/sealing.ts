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
  /** whether all users except editors and admins see {@link MASKED_TEXT} instead */
  secret: boolean;
}

/**
 * Returns the name of the field to which a sealed text is bound. The name is the same in every copy of the parameters.
 */
export const fieldOf = ({ path }: TextPosition): string => `parameters.${path.join('.')}`;

/**
 * The texts that each type seals. A definition may contain parameters that its type does not know, so every type also
 * seals the credentials of `http_request`.
 */
const sealedTexts: ReadonlyMap<CheckTypeName | null, readonly SealedTexts[]> = new Map(
  CHECK_TYPES.map(({ name, sealed }) => [name, [...new Set([...web.sealed, ...sealed])]]),
);

/**
 * Returns the paths of the texts in a check's parameters that are sealed.
 *
 * @param type the type of the check; null if the type is unknown, so that the texts that any type seals are included
 */
export const sealedPositions = (parameters: Fields, type: CheckTypeName | null): TextPosition[] =>
  placesIn(parameters, sealedTexts.get(type) ?? EVERY_SEALED_TEXT);

/** Returns the paths in `fields` that match the patterns of `texts`. */
const placesIn = (fields: Fields, texts: readonly SealedTexts[]): TextPosition[] => {
  const places: TextPosition[] = [];
  for (const { path: pattern, secret } of texts) {
    // Skip fields that do not exist. This saves time, because this function is called for every run and every result.
    if (fields[pattern[0]] === undefined && pattern[0] !== '*') continue;
    for (const [first = '', ...rest] of pathsIn(fields, pattern)) {
      const isSecret = typeof secret === 'boolean' ? secret : secret(rest.at(-1) ?? first);
      places.push({ path: [first, ...rest], secret: isSecret });
    }
  }
  return places;
};

/**
 * Returns a copy of `fields` with {@link MASKED_TEXT} at every secret path, or `fields` itself if no path is secret.
 */
export const withMaskedTexts = (fields: Fields, places: readonly TextPosition[]): Fields => {
  const secret = places.filter((place) => place.secret);
  if (secret.length === 0) return fields;
  const copy = structuredClone(fields);
  for (const { path } of secret) (valueAtPath(copy, path.slice(0, -1)) as Fields)[path.at(-1) ?? ''] = MASKED_TEXT;
  return copy;
};

/** Returns the `check_metadata` of a result in the form that viewers see. */
export const maskedMetadata = (metadata: Fields, type: CheckTypeName): Fields => {
  const { publicMetadata, secretMetadata } = checkTypeOf(type);
  const shown = publicMetadata(metadata);
  return withMaskedTexts(shown, placesIn(shown, secretMetadata));
};

/**
 * Returns the path that a text had in the previous parameters. This path differs from the given path if only the case
 * of a header's name has changed, such as `Authorization` to `authorization`.
 */
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
 * Reports values that can't be sealed: values that are not texts, and {@link MASKED_TEXT} at a path where no text is
 * stored.
 *
 * @returns error messages by field; empty if every value can be sealed
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

/** Returns a copy of the parameters in which `transform` has replaced every text that is sealed. */
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

/** Returns the name of the key that seals the texts of a check. */
export const checkKey = (checkId: string): string => `check-${checkId}`;
