import { Type } from '@sinclair/typebox';

/** Parameters are stored and returned as they were sent, including unknown fields. */
export const AS_SENT = { additionalProperties: true };

/** Parameters that every type accepts (spec.md: parameters by type). */
export const commonParameters = {
  /** region ids or aliases; the default region when absent or empty */
  regions: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
  multi_region_execution: Type.Optional(
    Type.Object(
      {
        enabled: Type.Boolean(),
        execution_mode: Type.Unsafe<'all' | 'random_n'>({ type: 'string', enum: ['all', 'random_n'] }),
        /** regions picked by `random_n` */
        count: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      AS_SENT,
    ),
  ),
  /** a failed scheduled run is repeated once before it counts */
  retry_enabled: Type.Optional(Type.Boolean({ default: false })),
};

/** What every type accepts; the parameters of an unknown type. */
export const CommonParameters = Type.Object(commonParameters, AS_SENT);

/** One of a set of words. */
export const oneOf = <const T extends string>(words: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...words] });
