import { Type } from '@sinclair/typebox';

/** Allows unknown fields, because parameters are stored and returned exactly as the client sent them. */
export const KEEP_INPUT = { additionalProperties: true };

/** Parameters that every type accepts (docs/reference/checks.md#common-parameters). */
export const commonParameters = {
  /** region ids or aliases; without them, the check runs in the default region */
  regions: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
  multi_region_execution: Type.Optional(
    Type.Object(
      {
        enabled: Type.Boolean(),
        execution_mode: Type.Unsafe<'all' | 'random_n'>({ type: 'string', enum: ['all', 'random_n'] }),
        /** number of random regions in the mode `random_n` */
        count: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      KEEP_INPUT,
    ),
  ),
  /** whether a failed scheduled run is retried one time before its result counts */
  retry_enabled: Type.Optional(Type.Boolean({ default: false })),
};

/** The schema of the parameters that every type accepts. It is also the schema for unknown types. */
export const CommonParameters = Type.Object(commonParameters, KEEP_INPUT);

/** Returns the schema of a string that must be one of the words. */
export const oneOf = <const T extends string>(words: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...words] });
