import type { SignInEvent } from '../../domain/session/events.ts';
import { signInDecider } from '../../domain/session/state.ts';
import { instantOf } from '../../domain/time.ts';
import type { StoredEntry } from '../../stores/coordination/port.ts';
import { commandContext, derivedUuid, reactorContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { storedSession } from './session-tokens.ts';
import { recordEnd } from './sessions.ts';
import { FAILED, type Failed } from './sign-in-limits.ts';

type Keeping = Pick<CommandDependencies, 'handle' | 'entries'>;

const AT_ONCE = 200;
/** Processes' clocks differ: what has just ended may still be counted by another one. */
const SETTLED_MS = 60_000;

/**
 * Records what entries say that have ended, then removes them: failed sign-ins, summed up, and sessions that were ended
 * by a process that died before it could say so. Done twice, by two processes or after a crash, it records each once.
 *
 * @returns how many were done; when there were many, more are left
 * @throws the first error, after everything else was done: what can't be recorded holds up nothing else
 */
export const sumUpSignIns =
  (dependencies: Keeping) =>
  async (now: number): Promise<number> => {
    const { entries } = dependencies;
    const settled = now - SETTLED_MS;
    const failures = await entries.ended('sign_in', settled, AT_ONCE);
    const sessions = (await entries.ended('session', settled, AT_ONCE)).filter((entry) => isLeft(entry, settled));
    const errors: unknown[] = [];
    const trying = (work: Promise<void>): Promise<unknown> => work.catch((error: unknown) => errors.push(error));
    for (const entry of failures) await trying(sumUp(dependencies, entry, now));
    for (const entry of sessions) await trying(end(dependencies, entry, now));
    if (errors.length > 0) throw errors[0];
    return failures.length + sessions.length;
  };

/** Whether nobody is at work on an ended session: who ends one also says so, and by whom. */
const isLeft = (entry: StoredEntry, settled: number): boolean => (storedSession(entry).ended?.at ?? 0) <= settled;

const sumUp = async (dependencies: Keeping, { id, value, version }: StoredEntry, now: number): Promise<void> => {
  if (id.startsWith(FAILED)) await recordFailures(dependencies, id, JSON.parse(value) as Failed, now);
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

const recordFailures = async ({ handle }: Keeping, id: string, failed: Failed, now: number): Promise<void> => {
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
