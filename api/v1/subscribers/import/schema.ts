import { Type, type Static } from '@sinclair/typebox';
import { Id, namedSchema, nullable } from '../../../schema.ts';

/** Maximum number of lines per request. */
export const MAX_LINES = 10_000;

export const ImportBody = Type.String({
  description:
    'CSV with a header, separated by commas, semicolons or tabs. Columns: `mode` (or `type`), `email`, ' +
    '`phone_number`, `phone_country`, `endpoint`, `component_ids` (separated by spaces), `incident_id`, ' +
    '`deliver_notifications` and `skip_confirmation_notification` (yes or no), `status`. Others are ignored. A file ' +
    'without a header has `email,<address>,<skip>`, `sms,<number>,<country>` or `webhook,<endpoint>,<email>` on each ' +
    `line. At most ${MAX_LINES.toLocaleString('en')} lines and 1 MiB.`,
  examples: ['mode,email\nemail,ivan@example.com\n'],
});

const ImportResult = namedSchema(
  'ImportResult',
  Type.Object({
    line: Type.Integer({ minimum: 1, description: 'The line number in the file.' }),
    id: nullable({ ...Id, description: 'The id of the subscriber. Null if the line does not identify one.' }),
    status: Type.Integer({
      description:
        '201: added. 200: already subscribed, unchanged. 403: the page does not take such subscriptions. 409: the ' +
        'recipient wants no messages. 422: the line is invalid. 429: too many confirmation requests today. 503: not ' +
        'processed in time.',
    }),
    error: nullable(
      Type.Object({ message: Type.String(), errors: Type.Record(Type.String(), Type.Array(Type.String())) }),
    ),
  }),
);
export type ImportResult = Static<typeof ImportResult>;

const count = Type.Integer({ minimum: 0 });

export const ImportResponse = namedSchema(
  'ImportedSubscribers',
  Type.Object({
    results: Type.Array(ImportResult),
    counts: Type.Object({ added: count, unchanged: count, refused: count }),
  }),
);
export type ImportResponse = Static<typeof ImportResponse>;
