import type { BodyType } from '../../http/media/body-types.ts';
import type { MediaType } from '../../http/media/types.ts';
import type { Json } from './publish-schema.ts';

/** A schema under each media type that a body or an answer may have; an example, if there is one, is of JSON. */
export const contentOf = (types: readonly (BodyType | MediaType)[], schema: Json, example?: unknown): Json =>
  Object.fromEntries(
    types.map(({ name }) => [
      name,
      { schema, ...(example !== undefined && name === 'application/json' && { example }) },
    ]),
  );
