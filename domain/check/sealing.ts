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
