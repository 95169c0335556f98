import type { CheckTypeName } from './events.ts';
import { isHarmless } from './harmless-headers.ts';

/** What stands in place of a text that the reader may not see. */
export const MASK = '********';

/** A text of a check's parameters that stands sealed in events and documents. */
export interface SealedPlace {
  path: readonly [string, ...string[]];
  /** shown as {@link MASK} to all but editors and admins */
  secret: boolean;
}

/** What the text at a place is bound to, wherever a copy of the parameters stands. */
export const fieldOf = ({ path }: SealedPlace): string => `parameters.${path.join('.')}`;

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Where in a check's parameters texts are sealed: credentials, body and header values of `http_request`, and what
 * a tcp check sends.
 *
 * @param type of the check; null where it is not known, then all that are sealed of any type
 */
export const sealedPlaces = (parameters: Fields, type: CheckTypeName | null): SealedPlace[] => [
  ...placesOfRequest(parameters['http_request']),
  ...((type === 'tcp' || type === null) && parameters['send_text'] !== undefined
    ? [{ path: ['send_text'], secret: true } as const]
    : []),
];

const placesOfRequest = (request: unknown): SealedPlace[] => {
  if (!isFields(request)) return [];
  const headers = isFields(request['headers']) ? Object.keys(request['headers']) : [];
  return [
    ...['username', 'password', 'body']
      .filter((field) => request[field] !== undefined)
      .map((field): SealedPlace => ({ path: ['http_request', field], secret: field !== 'username' })),
    ...headers.map((name): SealedPlace => ({ path: ['http_request', 'headers', name], secret: !isHarmless(name) })),
  ];
};

/** What stands at a path; undefined where the path leads nowhere. */
export const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (isFields(part) && Object.hasOwn(part, name) ? part[name] : undefined), value);

/** Where the text stood in former parameters that stands at a place now: the case of a header's name means nothing. */
export const formerPlace = ({ path, secret }: SealedPlace, former: Fields): SealedPlace => {
  const [parent, name] = [path.slice(0, -1), path.at(-1) ?? ''];
  const headers = at(former, parent);
  if (parent.at(-1) !== 'headers' || !isFields(headers) || Object.hasOwn(headers, name)) return { path, secret };
  const same = Object.keys(headers).find((other) => other.toLowerCase() === name.toLowerCase());
  if (same === undefined) return { path, secret };
  const [first, ...between] = path;
  return { path: [first, ...between.slice(0, -1), same], secret };
};

/**
 * What can't be sealed: what is no text, and a text that was sent as {@link MASK} although there is none that it
 * could stand for.
 *
 * @returns sentences by field, none when all can be
 */
export const unsealable = (parameters: Fields, type: CheckTypeName, former: Fields): Record<string, string[]> =>
  Object.fromEntries(
    sealedPlaces(parameters, type).flatMap((place) => {
      const text = at(parameters, place.path);
      if (typeof text !== 'string') return [[fieldOf(place), ['Must be a string.']]];
      if (!place.secret || text !== MASK || at(former, formerPlace(place, former).path) !== undefined) return [];
      return [[fieldOf(place), [`There is no text that ${MASK} could stand for.`]]];
    }),
  );

/** A copy of parameters with every sealed place replaced by what `transform` makes of it. */
export const mapSealedPlaces = async (
  parameters: Fields,
  type: CheckTypeName | null,
  transform: (value: unknown, place: SealedPlace) => unknown,
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
