import type { SignInEvent } from '../../domain/session/events.ts';
import { signInDecider } from '../../domain/session/state.ts';
import { instantOf, MINUTE_MS } from '../../domain/time.ts';
import type { StoredEntry } from '../../stores/coordination/port.ts';
import { commandContext, derivedUuid, reactorContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { storedSession } from './session-tokens.ts';
import { recordEnd } from './sessions.ts';
import { FAILURES_KEY, type StoredFailures } from './sign-in-backoff.ts';

type Keeping = Pick<CommandDependencies, 'handle' | 'entries'>;

const BATCH_SIZE = 200;
/**
 * The time between the expiry of an entry and its removal, in milliseconds. A process whose clock is behind might still
 * use an entry that has expired according to the clock of this process.
 */
const SETTLED_MS = MINUTE_MS;

/**
 * Records expired entries in the log, and then removes them. These entries are aggregated failed sign-ins, and sessions
 * whose end was not recorded because a process died. Two processes can sweep at the same time, and a sweep can be
 * repeated after a crash: each entry is recorded only once.
 *
 * @returns the number of processed entries, at most 400; more can be left
 * @throws the first error, after all other entries were processed
 */
export const sweepSignIns =
  (dependencies: Keeping) =>
  async (now: number): Promise<number> => {
    const { entries } = dependencies;
    const settled = now - SETTLED_MS;
    const failures = await entries.listExpired('sign_in', settled, BATCH_SIZE);
    const sessions = (await entries.listExpired('session', settled, BATCH_SIZE)).filter((entry) =>
      isLeft(entry, settled),
    );
    const errors: unknown[] = [];
    const trying = (work: Promise<void>): Promise<unknown> => work.catch((error: unknown) => errors.push(error));
    for (const entry of failures) await trying(sumUp(dependencies, entry, now));
    for (const entry of sessions) await trying(end(dependencies, entry, now));
    if (errors.length > 0) throw errors[0];
    return failures.length + sessions.length;
  };

/** Tests whether the process that ended a session has had enough time to record the end itself. */
const isLeft = (entry: StoredEntry, settled: number): boolean => (storedSession(entry).ended?.at ?? 0) <= settled;

const sumUp = async (dependencies: Keeping, { id, value, version }: StoredEntry, now: number): Promise<void> => {
  if (id.startsWith(FAILURES_KEY)) await recordFailures(dependencies, id, JSON.parse(value) as StoredFailures, now);
  await dependencies.entries.remove('sign_in', id, version);
};

const end = async (dependencies: Keeping, entry: StoredEntry, now: number): Promise<void> => {
  const session = storedSession(entry);
  const context = reactorContext('sessions', {
    organizationId: session.organization_id,
    commandId: derivedUuid(`end of session ${entry.id}`),
    now: instantOf(now),
  });
  await recordEnd(dependencies)(entry.id, session, entry.version, context);
};

const recordFailures = async ({ handle }: Keeping, id: string, failed: StoredFailures, now: number): Promise<void> => {
  const { organization_id, user_id, count, first_at, last_at, client_address: clientAddress } = failed;
  const event: SignInEvent = {
    type: 'SignInsFailed',
    data: { organization_id, user_id, count, first_at: instantOf(first_at), last_at: instantOf(last_at) },
  };
  const context = reactorContext('sign-in', {
    organizationId: organization_id,
    commandId: derivedUuid(`sign-ins ${id}`),
    now: instantOf(now),
  });
  const from = clientAddress ? commandContext({ ...context, clientAddress }) : context;
  await handle(user_id, signInDecider, () => event, from);
};
