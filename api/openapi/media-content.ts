import type { BodyType } from '../../http/media/body-types.ts';
import type { MediaType } from '../../http/media/media-types.ts';
import type { OpenApiObject } from './publish-schema.ts';

/** Returns the `content` of a body or response: the same schema for each media type, and the example for JSON only. */
export const contentOf = (
  types: readonly (BodyType | MediaType)[],
  schema: OpenApiObject,
  example?: unknown,
): OpenApiObject =>
  Object.fromEntries(
    types.map(({ name }) => [
      name,
      { schema, ...(example !== undefined && name === 'application/json' && { example }) },
    ]),
  );
