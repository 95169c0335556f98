import type { BodyType } from '../../http/media/body-types.ts';
import type { MediaType } from '../../http/media/types.ts';
import type { Json } from './publish-schema.ts';

/** A schema under each media type that a body or an answer may have. */
export const contentOf = (types: readonly (BodyType | MediaType)[], schema: Json): Json =>
  Object.fromEntries(types.map(({ name }) => [name, { schema }]));
