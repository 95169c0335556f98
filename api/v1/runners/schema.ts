import { Type, type Static } from '@sinclair/typebox';
import { MAX_ORGANIZATION_NAME } from '../../../domain/organization/name.ts';
import type { RunnerPresence } from '../../../domain/runner/presence.ts';
import { instantOf } from '../../../domain/time.ts';
import type { RunnerDocument } from '../../../projections/runners/projection.ts';
import { createPresenter } from '../../presenter.ts';
import { choice, Id, InstantOut, namedSchema, nullable, Revision, text } from '../../schema.ts';
import { regionName } from '../checks/schema.ts';

const STATES = ['connected', 'silent', 'waiting', 'revoked'] as const;

const count = Type.Integer({ minimum: 0 });

/** A remote runner and the current state of its processes. */
export const Runner = namedSchema(
  'Runner',
  Type.Object({
    id: Id,
    organization_id: Type.String({
      ...Id,
      description: 'For a runner of a public region, the organization of the operator.',
    }),
    name: Type.String(),
    region: Type.String({ description: 'The id of its region.', examples: ['private-k3v9x0q2m7ab'] }),
    private: Type.Boolean({ description: 'Whether only checks of its organization can use the region.' }),
    state: choice(STATES, {
      description:
        '`silent`: it was connected before but is not now; `waiting`: it has never connected; `revoked`: its token is void.',
    }),
    version: nullable(Type.String({ description: 'The version of its program when it last connected.' })),
    address: nullable(
      Type.String({ description: 'The address that its requests come from. Null while it is not connected.' }),
    ),
    last_contact_at: nullable(InstantOut),
    instances: { ...count, description: 'Number of connected processes that use its token.' },
    load: nullable(
      Type.Object(
        {
          in_flight: { ...count, description: 'Runs in progress.' },
          capacity: { ...count, description: 'Maximum number of concurrent runs.' },
        },
        { description: 'Total of all connected processes. Null without any.' },
      ),
    ),
    check_types: Type.Array(Type.String(), { description: 'The check types that it can run, as it last reported.' }),
    lacking: Type.Array(Type.Object({ type: Type.String(), reason: Type.String() }), {
      description: 'The check types that it cannot run, and why. Empty while it is not connected.',
    }),
    clock_offset_ms: nullable(
      Type.Number({ description: 'How many milliseconds its clock is ahead. Null if unknown.' }),
    ),
    alone: Type.Boolean({ description: 'Whether its region has no other active runner.' }),
    created_at: InstantOut,
    revoked_at: nullable(InstantOut),
    revision: Revision,
  }),
);
export type Runner = Static<typeof Runner>;

/** A runner with its token. A token is shown only when it is issued. */
export const RunnerWithToken = namedSchema(
  'RunnerWithToken',
  Type.Object({
    ...Runner.properties,
    token: Type.Optional(
      Type.String({ description: 'The token itself. Shown once: repeating the request does not return it again.' }),
    ),
  }),
);

export const NewRunner = Type.Object({
  name: text(MAX_ORGANIZATION_NAME, { min: 1 }),
  region: Type.Optional({
    ...regionName,
    description:
      'Where the runner is. Absent: creates a new private location. A private location of yours: adds a runner to it. ' +
      'A public region: only for admins of the first organization of the service.',
  }),
});

export const RunnerChange = Type.Object({ name: Type.Optional(text(MAX_ORGANIZATION_NAME, { min: 1 })) });

export const RunnerList = Type.Object({ runners: Type.Array(Runner) });

/** Further data for presenting a runner. */
export interface RunnerContext {
  /** the connected processes of all runners */
  presences: readonly RunnerPresence[];
  /** Further runners. They must include all runners in the region of the presented runner. */
  others: readonly Pick<RunnerDocument, 'id' | 'region' | 'revoked_at'>[];
}

const present = createPresenter(Runner, [
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

export const presentRunner = (runner: RunnerDocument, { presences, others }: RunnerContext): Runner => {
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
