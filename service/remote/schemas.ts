import { Type, type Static, type TSchema } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import { ResultStatus } from '../../domain/check-result/events.ts';
import { lazy } from '../../domain/concurrency/lazy.ts';

/*
 * Schemas for the messages of runners. Runners of other releases may send more fields, which are ignored. The schemas
 * limit the sizes of the parts of an outcome, which are validated again when they are stored.
 */

/** Maximum length of a sentence. The sentences that probes produce are far shorter. */
const Sentence = Type.String({ maxLength: 2_000 });
const Milliseconds = Type.Number({ minimum: 0, maximum: 8_640_000_000_000_000 });
const Opaque = Type.String({ minLength: 1, maxLength: 4_000 });

const HelloSchema = Type.Object({
  protocol: Type.Integer(),
  release: Type.String({ maxLength: 50 }),
  instance: Type.String({ minLength: 1, maxLength: 50 }),
  region: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
  types: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 50 }),
  lacking: Type.Array(Type.Object({ type: Type.String({ maxLength: 50 }), reason: Sentence }), { maxItems: 50 }),
  capacity: Type.Integer({ minimum: 1, maximum: 10_000 }),
  clock: Milliseconds,
});

const Reason = Type.Union(
  [
    ...['timeout', 'lookup', 'connect', 'tls', 'protocol', 'status', 'content', 'redirect', 'size', 'response_time'],
    ...['certificate', 'header', 'json', 'target', 'answer', 'domain', 'packet_loss', 'score', 'vulnerability'],
    ...['ports', 'rights', 'script', 'secret'],
  ].map((reason) => Type.Literal(reason)),
);

const OutcomeSchema = Type.Object({
  status: ResultStatus,
  reason: Type.Union([Reason, Type.Null()]),
  response_time: Type.Union([Type.Integer({ minimum: 0, maximum: 86_400_000 }), Type.Null()]),
  error_message: Type.Union([Type.String({ maxLength: 20_000 }), Type.Null()]),
  check_metadata: Type.Record(Type.String(), Type.Unknown()),
  files: Type.Optional(
    Type.Array(
      Type.Object({
        reference: Type.String({ pattern: '^file:\\d{1,3}$' }),
        role: Type.Union(['screenshot', 'video', 'log'].map((role) => Type.Literal(role))),
        name: Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }),
        // RFC 9110, 8.3.1
        media_type: Type.String({ maxLength: 100, pattern: '^[\\w!#$&^.+-]+/[\\w!#$&^.+-]+(?:; ?[\\w-]+=[\\w.-]+)*$' }),
        staged: Type.String({ minLength: 1, maxLength: 100 }),
        size: Type.Integer({ minimum: 0 }),
      }),
      { maxItems: 20 },
    ),
  ),
  suspect: Type.Optional(Type.Literal(true)),
});

const SentResultSchema = Type.Intersect([
  Type.Object({ delivery: Opaque, ticket: Opaque, age_ms: Milliseconds }),
  Type.Union([
    Type.Object({ outcome: OutcomeSchema }),
    Type.Object({ killed: Sentence }),
    Type.Object({ trouble: Sentence }),
    Type.Object({ aborted: Type.Literal(true) }),
  ]),
]);

const OfflineResultSchema = Type.Object({
  ticket: Opaque,
  slot: Milliseconds,
  ended_at: Milliseconds,
  outcome: OutcomeSchema,
});

const ReportSchema = Type.Object({
  clock: Milliseconds,
  clock_offset_ms: Type.Union([Type.Number({ minimum: -1e13, maximum: 1e13 }), Type.Null()]),
  load: Type.Object({
    in_flight: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    unsent: Type.Integer({ minimum: 0, maximum: 100_000_000 }),
  }),
  results: Type.Array(Type.Unknown(), { maxItems: 1_000 }),
  offline: Type.Array(Type.Unknown(), { maxItems: 1_000 }),
});

/** Creates a validator that is compiled on first use, because most services have no remote runner. */
const checking = <T extends TSchema>(schema: T): ((value: unknown) => value is Static<T>) => {
  const test = lazy(() => new Ajv({ strict: false }).compile(schema));
  return (value): value is Static<T> => test()(value);
};

export const isHello = checking(HelloSchema);
export const isReport = checking(ReportSchema);
export const isSentResult = checking(SentResultSchema);
export const isOfflineResult = checking(OfflineResultSchema);
