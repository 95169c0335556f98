import { Type, type Static } from '@sinclair/typebox';
import type { ProjectionStatus } from '../projections/engine/status/protocol.ts';
import type { EventStore } from '../stores/event-store/port.ts';

/** The state of one part of the service, as `/health/ready` shows it. It contains no stored data. */
export const HealthPart = Type.Object(
  {
    name: Type.String({ examples: ['projection incidents'] }),
    ready: Type.Boolean(),
    state: Type.String({ examples: ['live'] }),
    /** age of the oldest event that a projection has not processed yet, in seconds; null for other parts */
    lag_seconds: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
    /** what is wrong, as a sentence; null: nothing */
    message: Type.Union([Type.String(), Type.Null()]),
    processes: Type.Optional(Type.Integer({ minimum: 0, description: 'For probe processes: their number.' })),
    restarts: Type.Optional(
      Type.Integer({ minimum: 0, description: 'For probe processes: how many were lost and replaced.' }),
    ),
  },
  { title: 'HealthPart' },
);
export type HealthPart = Static<typeof HealthPart>;

/** Returns the current state of all parts of the service, such as event stores, projections and reactors. */
export type Health = () => Promise<readonly HealthPart[]>;

export interface HealthResponse {
  status: number;
  body: { status: 'ready' | 'not ready'; parts: readonly HealthPart[] };
}

/** Returns 200 if every part is ready, and otherwise 503. */
export const readiness = async (health: Health): Promise<HealthResponse> => {
  const parts = await health();
  const ready = parts.every((part) => part.ready);
  return { status: ready ? 200 : 503, body: { status: ready ? 'ready' : 'not ready', parts } };
};

/**
 * Returns the state of an event store. A store that accepts no appends counts as not ready, although reads still work,
 * so that an operator notices.
 */
export const eventStorePart = async (store: Pick<EventStore, 'name' | 'health'>): Promise<HealthPart> => {
  const { writable, message } = await store.health();
  const state = writable ? 'open' : 'read-only';
  return { name: `event store ${store.name}`, ready: writable, state, lag_seconds: null, message };
};

const CATCHING_UP = 'The projection is catching up with its log. Requests that read it wait or get 503.';

/**
 * Returns the state of a projection with its read model. The projection is ready if its read model can be read and
 * follows the log. If the projection has set aside documents that it could not update, it is degraded but still ready,
 * because all other documents are served.
 *
 * @param lag age of the oldest event that the projection has not processed yet, in seconds
 * @param isCurrent whether the projection has caught up (projections/engine/status/catch-up.ts)
 */
export const projectionPart = (
  { name, state, generation, error, set_aside = 0 }: ProjectionStatus,
  lag: number,
  isCurrent = true,
): HealthPart => ({
  name: `projection ${name}`,
  ready: isCurrent && generation !== null && state !== 'stopped' && state !== 'failing' && state !== 'starting',
  state: state !== 'live' ? state : !isCurrent ? 'catching_up' : set_aside > 0 ? 'degraded' : state,
  lag_seconds: Math.round(lag * 1_000) / 1_000,
  message: error?.message ?? (isCurrent || generation === null ? setAsideSentence(set_aside) : CATCHING_UP),
});

const setAsideSentence = (count: number): string | null => {
  if (count === 0) return null;
  const documents = count === 1 ? '1 document is' : `${count} documents are`;
  return `${documents} set aside. Run \`uptrail projections --set-aside\`.`;
};

/**
 * Returns the state of the reactors. After a restore, reactors are halted until an operator resumes them. They count as
 * ready even when they are halted or when items have failed permanently, because the rest of the service works. The
 * message reports both conditions.
 *
 * @param haltedBecause returns why the reactors are halted; null: they are not halted
 * @param givenUp returns the number of permanently failed items of each reactor
 */
export const reactorsPart = async (
  haltedBecause: () => Promise<string | null>,
  givenUp: () => Promise<readonly { reactor: string; given_up: number }[]>,
): Promise<HealthPart> => {
  const part = { name: 'reactors', lag_seconds: null };
  try {
    const reason = await haltedBecause();
    if (reason === null) return { ...part, ready: true, state: 'active', message: givenUpBy(await givenUp()) };
    return {
      ...part,
      ready: true,
      state: 'halted',
      message: `${reason} To resume them, run \`uptrail reactors resume\`.`,
    };
  } catch (error) {
    return { ...part, ready: false, state: 'unknown', message: (error as Error).message };
  }
};

/** Returns a message about permanently failed items; null if there are none. */
const givenUpBy = (counts: readonly { reactor: string; given_up: number }[]): string | null => {
  const some = counts.filter(({ given_up }) => given_up > 0);
  if (some.length === 0) return null;
  const each = some.map(({ reactor, given_up }) => `${reactor} ${given_up}`);
  return `Some items failed permanently (${each.join(', ')}). Run \`uptrail reactors\`.`;
};
