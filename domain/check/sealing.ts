import type { Sealed } from '../event.ts';

/**
 * Headers whose values only editors and admins see (decisions.md: Checks). A redirect to another
 * origin does not carry them on.
 */
export const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
]);

/** What stands in place of a text that the reader may not see. */
export const MASK = '********';

/** A text of `http_request` that stands sealed in events and documents. */
export interface SealedPlace {
  path: readonly [string, ...string[]];
  /** shown as {@link MASK} to all but editors and admins */
  secret: boolean;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where in a check's parameters texts are sealed: credentials, body and header values of `http_request`. */
export const sealedPlaces = (parameters: Fields): SealedPlace[] => {
  const request = parameters['http_request'];
  if (!isFields(request)) return [];
  const headers = isFields(request['headers']) ? Object.keys(request['headers']) : [];
  return [
    ...['username', 'password', 'body']
      .filter((field) => request[field] !== undefined)
      .map((field): SealedPlace => ({
        path: ['http_request', field],
        secret: field === 'password',
      })),
    ...headers.map((name): SealedPlace => ({
      path: ['http_request', 'headers', name],
      secret: SECRET_HEADERS.has(name.toLowerCase()),
    })),
  ];
};

export const isSealed = (value: unknown): value is Sealed =>
  isFields(value) && typeof value['key'] === 'string' && typeof value['sealed'] === 'string';

/** What stands at a path; undefined where the path leads nowhere. */
export const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (isFields(part) && Object.hasOwn(part, name) ? part[name] : undefined), value);

/** A copy of parameters with every sealed place replaced by what `transform` makes of it. */
export const mapSealedPlaces = async (
  parameters: Fields,
  transform: (value: unknown, place: SealedPlace) => unknown,
): Promise<Fields> => {
  const places = sealedPlaces(parameters);
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
