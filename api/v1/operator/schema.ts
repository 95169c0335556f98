import { Type, type Static } from '@sinclair/typebox';
import { HealthPart } from '../../../http/health.ts';
import { InstantOut, named, nullable, text } from '../../schema.ts';

const Count = Type.Integer({ minimum: 0 });

const ReadModel = Type.Object({
  name: Type.String({ examples: ['incidents'] }),
  state: Type.String({
    description: 'starting, waiting, building, catching_up, live, failing or stopped',
    examples: ['live'],
  }),
  position: Type.Integer({ description: 'of its log, up to which every event is in it' }),
  lag_seconds: Type.Number({ description: 'age of the oldest event that it has yet to fold; 0: there is none' }),
  is_rebuilding: Type.Boolean({ description: 'whether there is nothing to read until it is built' }),
  set_aside: Type.Integer({ description: 'documents that are set aside' }),
  error: nullable(Type.String({ examples: ['The event 4711 could not be folded.'] })),
});

const Queue = Type.Object({
  region: Type.String({ examples: ['EU, West'] }),
  waiting: Count,
  in_flight: Count,
  parked: Type.Integer({ minimum: 0, description: 'runs that could not be made or stored after all tries' }),
});

const Reactor = Type.Object({
  name: Type.String({ examples: ['delivery'] }),
  state: Type.String({ description: 'active, halted, idle or new', examples: ['active'] }),
  waiting: nullable(Type.Integer({ description: 'null: its list can not be read at present' })),
  retrying: Count,
  given_up: Count,
  oldest_seconds: nullable(Type.Integer({ description: 'age of the oldest item that waits or is tried again' })),
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
  region: Type.String({ description: 'id of the region', examples: ['eu-west'] }),
  types: Type.Array(Type.String({ examples: ['web'] }), {
    description: 'of checks that run there; empty: no runner is there',
  }),
});

const Setting = Type.Object({
  feature: Type.Unsafe<SettingFeature>({
    type: 'string',
    enum: ['email', 'links', 'sms', 'page_domain', 'plans', 'invoices', 'metrics'],
  }),
  configured: Type.Boolean(),
  variables: Type.Array(Type.String({ examples: ['MAIL_FROM'] }), {
    description: 'environment variables to set; empty where it is configured',
  }),
});
export type SettingFeature = 'email' | 'links' | 'sms' | 'page_domain' | 'plans' | 'invoices' | 'metrics';

/** decisions.md: Operators. */
export const ServiceState = named(
  'ServiceState',
  Type.Object({
    parts: Type.Array(HealthPart, { description: 'as `/health/ready` shows them' }),
    read_models: Type.Array(ReadModel),
    queues: nullable(Type.Array(Queue)),
    reactors: nullable(Type.Array(Reactor)),
    dead_letters: nullable(
      Type.Array(DeadLetter, { description: 'the first 50 items that reactors failed on, those given up first' }),
    ),
    runners: Type.Array(Runner),
    disk: nullable(
      Type.Object(
        { free_bytes: Type.Integer(), total_bytes: Type.Integer() },
        { description: 'of the data folder; null in a cluster' },
      ),
    ),
    artifacts: nullable(Type.Object({ bytes: Type.Integer(), files: Type.Integer() })),
    settings: Type.Array(Setting),
  }),
);
export type ServiceState = Static<typeof ServiceState>;

export const Retry = Type.Object({
  reactor: Type.String({ maxLength: 100, examples: ['delivery'] }),
  item: Type.Optional(nullable(text(1_000, { description: 'absent or null: all of them' }))),
});
export const Retried = Type.Object({ items: Type.Integer({ description: 'how many are tried again' }) });
