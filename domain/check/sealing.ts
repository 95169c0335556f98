import type { CheckTypeName } from './events.ts';
import { MASK } from './mask.ts';
import { isFields, type Fields } from '../fields.ts';
import { at, pathsIn } from './paths.ts';
import type { Texts } from './types/check-type.ts';
import { CHECK_TYPES, checkTypeOf, EVERY_SEALED_TEXT } from './types/index.ts';
import { web } from './types/web.ts';

/** The place of a text in a check's parameters, or in the metadata of a result. */
export interface TextPlace {
  path: readonly [string, ...string[]];
  /** shown as {@link MASK} to everybody but editors and admins */
  secret: boolean;
}

/** What the text at a place is bound to, in every copy of the parameters. */
export const fieldOf = ({ path }: TextPlace): string => `parameters.${path.join('.')}`;

/**
 * Which texts of a type are sealed. A definition keeps parameters that its type does not know, and the credentials
 * of a request are secrets there too.
 */
const sealedTexts: ReadonlyMap<CheckTypeName | null, readonly Texts[]> = new Map(
  CHECK_TYPES.map(({ name, sealed }) => [name, [...new Set([...web.sealed, ...sealed])]]),
);

/**
 * Where in a check's parameters texts are sealed.
 *
 * @param type of the check; null if unknown, then all texts that any type seals
 */
export const sealedPlaces = (parameters: Fields, type: CheckTypeName | null): TextPlace[] =>
  placesIn(parameters, sealedTexts.get(type) ?? EVERY_SEALED_TEXT);

/** The places of texts. */
const placesIn = (fields: Fields, texts: readonly Texts[]): TextPlace[] => {
  const places: TextPlace[] = [];
  for (const { path: pattern, secret } of texts) {
    // Called for every run and every result, most of which have nothing there.
    if (fields[pattern[0]] === undefined && pattern[0] !== '*') continue;
    for (const [first = '', ...rest] of pathsIn(fields, pattern)) {
      const isSecret = typeof secret === 'boolean' ? secret : secret(rest.at(-1) ?? first);
      places.push({ path: [first, ...rest], secret: isSecret });
    }
  }
  return places;
};

/** A copy with {@link MASK} at every place that is secret. */
export const masked = (fields: Fields, places: readonly TextPlace[]): Fields => {
  const secret = places.filter((place) => place.secret);
  if (secret.length === 0) return fields;
  const copy = structuredClone(fields);
  for (const { path } of secret) (at(copy, path.slice(0, -1)) as Fields)[path.at(-1) ?? ''] = MASK;
  return copy;
};

/** `check_metadata` of a type as shown to those who may not see all of it. */
export const maskedMetadata = (metadata: Fields, type: CheckTypeName): Fields => {
  const { publicMetadata, secretMetadata } = checkTypeOf(type);
  const shown = publicMetadata(metadata);
  return masked(shown, placesIn(shown, secretMetadata));
};

/** Where the text was in the previous parameters that is now at a place: header names are compared without case. */
export const previousPlace = ({ path, secret }: TextPlace, previous: Fields): TextPlace => {
  const [parent, name] = [path.slice(0, -1), path.at(-1) ?? ''];
  const headers = at(previous, parent);
  if (parent.at(-1) !== 'headers' || !isFields(headers) || Object.hasOwn(headers, name)) return { path, secret };
  const same = Object.keys(headers).find((other) => other.toLowerCase() === name.toLowerCase());
  if (same === undefined) return { path, secret };
  const [first, ...between] = path;
  return { path: [first, ...between.slice(0, -1), same], secret };
};

/**
 * What can't be sealed: values that are not texts, and texts sent as {@link MASK} although there is none that it
 * could stand for.
 *
 * @returns sentences by field; none if all can be
 */
export const unsealable = (parameters: Fields, type: CheckTypeName, previous: Fields): Record<string, string[]> =>
  Object.fromEntries(
    sealedPlaces(parameters, type).flatMap((place) => {
      const text = at(parameters, place.path);
      if (typeof text !== 'string') return [[fieldOf(place), ['Must be a string.']]];
      if (!place.secret || text !== MASK || at(previous, previousPlace(place, previous).path) !== undefined) return [];
      return [[fieldOf(place), [`There is no text that ${MASK} could stand for.`]]];
    }),
  );

/** A copy of parameters with every sealed place replaced by what `transform` makes of it. */
export const mapSealedPlaces = async (
  parameters: Fields,
  type: CheckTypeName | null,
  transform: (value: unknown, place: TextPlace) => unknown,
): Promise<Fields> => {
  const places = sealedPlaces(parameters, type);
  if (places.length === 0) return parameters;
  const copy = structuredClone(parameters);
  await Promise.all(
    places.map(async (place) => {
      const parent = at(copy, place.path.slice(0, -1)) as Fields;
      const name = place.path.at(-1) ?? '';
      parent[name] = await transform(parent[name], place);
    }),
  );
  return copy;
};

/** Name of the key that seals a check's texts. */
export const checkKey = (checkId: string): string => `check-${checkId}`;
