import type { BodyType } from '../../http/media/body-types.ts';
import type { MediaType } from '../../http/media/types.ts';
import type { Json } from './publish-schema.ts';

/** A schema under each of the types in which a body may come, or an answer go. */
export const contentOf = (types: readonly (BodyType | MediaType)[], schema: Json): Json =>
  Object.fromEntries(types.map(({ name }) => [name, { schema }]));
