import { Type } from '@sinclair/typebox';

/** Parameters are stored and returned as sent, including unknown fields. */
export const KEEP_INPUT = { additionalProperties: true };

/** Parameters that every type accepts (docs/reference/checks.md#common-parameters). */
export const commonParameters = {
  /** region ids or aliases; default: the default region */
  regions: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
  multi_region_execution: Type.Optional(
    Type.Object(
      {
        enabled: Type.Boolean(),
        execution_mode: Type.Unsafe<'all' | 'random_n'>({ type: 'string', enum: ['all', 'random_n'] }),
        /** the number of regions for `random_n` */
        count: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      KEEP_INPUT,
    ),
  ),
  /** whether a failed scheduled run is retried once before it counts */
  retry_enabled: Type.Optional(Type.Boolean({ default: false })),
};

/** The parameters that every type accepts; also the schema of an unknown type. */
export const CommonParameters = Type.Object(commonParameters, KEEP_INPUT);

/** One of a set of words. */
export const oneOf = <const T extends string>(words: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...words] });
