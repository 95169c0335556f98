import { Type, type Static } from '@sinclair/typebox';
import { HealthPart } from '../../../http/health.ts';
import { InstantOut, namedSchema, nullable, text } from '../../schema.ts';

const Count = Type.Integer({ minimum: 0 });

const ReadModel = Type.Object({
  name: Type.String({ examples: ['incidents'] }),
  state: Type.String({
    description: 'One of `starting`, `waiting`, `building`, `catching_up`, `live`, `failing` and `stopped`.',
    examples: ['live'],
  }),
  position: Type.Integer({ description: 'The position in its log up to which it contains every event.' }),
  lag_seconds: Type.Number({
    description: 'Age of the oldest event that it does not contain yet. 0 if there is none.',
  }),
  is_rebuilding: Type.Boolean({ description: 'Whether it cannot be read until it is built.' }),
  set_aside: Type.Integer({ description: 'Number of documents that are set aside.' }),
  error: nullable(Type.String({ examples: ['The event 4711 could not be folded.'] })),
});

const Queue = Type.Object({
  region: Type.String({ examples: ['EU, West'] }),
  waiting: Count,
  in_flight: Count,
  parked: Type.Integer({ minimum: 0, description: 'Runs that failed to execute or to be stored in all attempts.' }),
});

const Reactor = Type.Object({
  name: Type.String({ examples: ['delivery'] }),
  state: Type.String({ description: 'One of `active`, `halted`, `idle` and `new`.', examples: ['active'] }),
  waiting: nullable(Type.Integer({ description: 'Null if its backlog cannot be read at present.' })),
  retrying: Count,
  given_up: Count,
  oldest_seconds: nullable(Type.Integer({ description: 'Age of the oldest item that is waiting or being retried.' })),
});

const DeadLetter = Type.Object({
  reactor: Type.String({ examples: ['delivery'] }),
  item: Type.String({ examples: ['k3v9x0q2m7ab'] }),
  state: Type.Unsafe<'retrying' | 'given_up'>({ type: 'string', enum: ['retrying', 'given_up'] }),
  tries: Count,
  since: InstantOut,
  again_at: nullable(InstantOut),
  reason: Type.String({ examples: ['The server answered with 503.'] }),
});

const Runner = Type.Object({
  region: Type.String({ description: 'The id of the region.', examples: ['eu-west'] }),
  types: Type.Array(Type.String({ examples: ['web'] }), {
    description: 'The check types that run there. Empty without a runner.',
  }),
});

const Setting = Type.Object({
  feature: Type.Unsafe<SettingFeature>({
    type: 'string',
    enum: ['email', 'links', 'sms', 'page_domain', 'plans', 'invoices', 'metrics'],
  }),
  configured: Type.Boolean(),
  variables: Type.Array(Type.String({ examples: ['MAIL_FROM'] }), {
    description: 'Environment variables to set. Empty if the feature is configured.',
  }),
});
export type SettingFeature = 'email' | 'links' | 'sms' | 'page_domain' | 'plans' | 'invoices' | 'metrics';

/** See docs/reference/organizations.md#first-organization. */
export const ServiceState = namedSchema(
  'ServiceState',
  Type.Object({
    parts: Type.Array(HealthPart, { description: 'As in `/health/ready`.' }),
    read_models: Type.Array(ReadModel),
    queues: nullable(Type.Array(Queue)),
    reactors: nullable(Type.Array(Reactor)),
    dead_letters: nullable(
      Type.Array(DeadLetter, {
        description: 'The first 50 failed items of reactors, starting with those that are not retried any more.',
      }),
    ),
    runners: Type.Array(Runner),
    disk: nullable(
      Type.Object(
        { free_bytes: Type.Integer(), total_bytes: Type.Integer() },
        { description: 'Of the data folder. Null in a cluster.' },
      ),
    ),
    artifacts: nullable(Type.Object({ bytes: Type.Integer(), files: Type.Integer() })),
    settings: Type.Array(Setting),
  }),
);
export type ServiceState = Static<typeof ServiceState>;

export const RetryBody = Type.Object({
  reactor: Type.String({ maxLength: 100, examples: ['delivery'] }),
  item: Type.Optional(nullable(text(1_000, { description: 'The item to retry. Absent or null for all items.' }))),
});
export const RetryResponse = Type.Object({ items: Type.Integer({ description: 'Number of items that are retried.' }) });
