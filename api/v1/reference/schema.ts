import { Type } from '@sinclair/typebox';
import { CHECK_TYPE_NAMES } from '../../../domain/check/types/index.ts';
import { choice, namedSchema } from '../../schema.ts';

/** See docs/reference/checks.md#templates. */
export const CheckTemplate = namedSchema(
  'CheckTemplate',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    type: choice(CHECK_TYPE_NAMES),
    tags: Type.Array(Type.String()),
    requires_secrets: Type.Array(Type.String(), {
      description: 'Environment variables that the script reads. Bind a secret to each.',
    }),
    definition: Type.Object(
      {
        name: Type.String(),
        type: choice(CHECK_TYPE_NAMES),
        url: Type.Optional(Type.String()),
        host: Type.Optional(Type.String()),
        port: Type.Optional(Type.Integer()),
        interval: Type.Integer(),
        timeout: Type.Number(),
        parameters: Type.Record(Type.String(), Type.Unknown()),
      },
      { description: 'A body for `POST /v1/checks`. Its target is an example.' },
    ),
  }),
);
