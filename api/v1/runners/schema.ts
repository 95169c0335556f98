import { Type, type Static } from '@sinclair/typebox';
import { LONGEST_NAME } from '../../../domain/organization/name.ts';
import type { RunnerPresence } from '../../../domain/runner/presence.ts';
import { instantOf } from '../../../domain/time.ts';
import type { RunnerDocument } from '../../../projections/runners/projection.ts';
import { presenting } from '../../present.ts';
import { choice, Id, InstantOut, named, nullable, Revision, text } from '../../schema.ts';
import { regionName } from '../checks/schema.ts';

const STATES = ['connected', 'silent', 'waiting', 'revoked'] as const;

const count = Type.Integer({ minimum: 0 });

/** A remote runner, and what is known of its processes at this moment. */
export const Runner = named(
  'Runner',
  Type.Object({
    id: Id,
    organization_id: Type.String({ ...Id, description: "of a runner of a public region: the operator's" }),
    name: Type.String(),
    region: Type.String({ description: 'id of its region', examples: ['private-k3v9x0q2m7ab'] }),
    private: Type.Boolean({ description: 'whether only checks of its organization can name the region' }),
    state: choice(STATES, {
      description: '`silent`: it was connected, and is not now; `waiting`: it never was; `revoked`: its token is void',
    }),
    version: nullable(Type.String({ description: 'of its program, when it last connected' })),
    address: nullable(Type.String({ description: 'where its requests come from; null: it is not connected' })),
    last_contact_at: nullable(InstantOut),
    instances: { ...count, description: 'connected processes with its token' },
    load: nullable(
      Type.Object(
        {
          in_flight: { ...count, description: 'runs under way' },
          capacity: { ...count, description: 'runs that it takes at once' },
        },
        { description: 'of all connected processes; null: none is' },
      ),
    ),
    check_types: Type.Array(Type.String(), { description: 'what it can run, as it last said' }),
    lacking: Type.Array(Type.Object({ type: Type.String(), reason: Type.String() }), {
      description: 'what it cannot run, and why; empty while it is not connected',
    }),
    clock_offset_ms: nullable(
      Type.Number({ description: 'by how many milliseconds its clock is ahead; null: not known' }),
    ),
    alone: Type.Boolean({ description: 'whether its region has no other runner that is not revoked' }),
    created_at: InstantOut,
    revoked_at: nullable(InstantOut),
    revision: Revision,
  }),
);
export type Runner = Static<typeof Runner>;

/** With its token. */
export const RunnerWithToken = named(
  'RunnerWithToken',
  Type.Object({
    ...Runner.properties,
    token: Type.Optional(Type.String({ description: 'the token itself, shown once; absent in a repeated answer' })),
  }),
);

export const NewRunner = Type.Object({
  name: text(LONGEST_NAME, { min: 1 }),
  region: Type.Optional({
    ...regionName,
    description:
      'where it is; absent: a new private location. One of your private locations: another runner of it. ' +
      'A public region: only for admins of the first organization of the service',
  }),
});

export const RunnerChange = Type.Object({ name: Type.Optional(text(LONGEST_NAME, { min: 1 })) });

export const RunnerList = Type.Object({ runners: Type.Array(Runner) });

/** What is needed beside a runner to show it. */
export interface Around {
  /** the connected processes of all runners */
  presences: readonly RunnerPresence[];
  /** at least all runners of its region */
  others: readonly Pick<RunnerDocument, 'id' | 'region' | 'revoked_at'>[];
}

const present = presenting(Runner, [
  'state',
  'version',
  'address',
  'last_contact_at',
  'instances',
  'load',
  'check_types',
  'lacking',
  'clock_offset_ms',
  'alone',
]);

const stateOf = (runner: RunnerDocument, isConnected: boolean): Runner['state'] => {
  if (runner.revoked_at !== null) return 'revoked';
  if (isConnected) return 'connected';
  return runner.last_connected === null ? 'waiting' : 'silent';
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

export const presentRunner = (runner: RunnerDocument, { presences, others }: Around): Runner => {
  const live = runner.revoked_at === null;
  const connected = live ? presences.filter(({ runner_id }) => runner_id === runner.id) : [];
  const newest = connected.reduce<RunnerPresence | null>(
    (best, one) => (best === null || one.last_contact > best.last_contact ? one : best),
    null,
  );
  const { last_connected: last } = runner;
  return present(runner, {
    state: stateOf(runner, newest !== null),
    version: newest?.release ?? last?.release ?? null,
    address: newest?.address ?? null,
    last_contact_at: newest ? instantOf(newest.last_contact) : (last?.at ?? null),
    instances: connected.length,
    load: newest && {
      in_flight: sum(connected.map(({ in_flight }) => in_flight)),
      capacity: sum(connected.map(({ capacity }) => capacity)),
    },
    check_types: [...(newest?.types ?? last?.types ?? [])].sort(),
    lacking: [...(newest?.lacking ?? [])].map(({ type, reason }) => ({ type, reason })),
    clock_offset_ms: newest?.clock_offset_ms ?? null,
    alone:
      live &&
      !others.some(({ id, region, revoked_at }) => id !== runner.id && region === runner.region && revoked_at === null),
  });
};
