import { Type, type Static } from '@sinclair/typebox';
import { Id, named, nullable } from '../../../schema.ts';

/** Most lines of one request. */
export const MAX_LINES = 10_000;

export const ImportBody = Type.String({
  description:
    'CSV with a header, separated by commas, semicolons or tabs. Columns: `mode` (or `type`), `email`, ' +
    '`phone_number`, `phone_country`, `endpoint`, `component_ids` (with blanks between them), `incident_id`, ' +
    '`deliver_notifications` and `skip_confirmation_notification` (yes or no), `status`; others are ignored. A file ' +
    'without a header has `email,<address>,<skip>`, `sms,<number>,<country>` or `webhook,<endpoint>,<email>` on each ' +
    `line. At most ${MAX_LINES.toLocaleString('en')} lines and 1 MiB`,
  examples: ['mode,email\nemail,ivan@example.com\n'],
});

const ImportResult = named(
  'ImportResult',
  Type.Object({
    line: Type.Integer({ minimum: 1, description: 'of the file' }),
    id: nullable({ ...Id, description: 'of the subscriber; null: the line does not say which' }),
    status: Type.Integer({
      description:
        '201: added; 200: was there before, and stays as it is; 403: the page does not take such subscriptions; 409: ' +
        'the receiver wants no messages; 422: the line is invalid; 429: too many confirmations today; 503: no time left',
    }),
    error: nullable(
      Type.Object({ message: Type.String(), errors: Type.Record(Type.String(), Type.Array(Type.String())) }),
    ),
  }),
);
export type ImportResult = Static<typeof ImportResult>;

const count = Type.Integer({ minimum: 0 });

export const Imported = named(
  'ImportedSubscribers',
  Type.Object({
    results: Type.Array(ImportResult),
    counts: Type.Object({ added: count, unchanged: count, refused: count }),
  }),
);
export type Imported = Static<typeof Imported>;
