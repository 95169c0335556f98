import { setTimeout as sleep } from 'node:timers/promises';
import { ConcurrentChange, Conflict } from '../../domain/errors.ts';
import { createKeyedMutex } from '../../domain/concurrency/mutex.ts';
import type { UniqueName } from '../../domain/reservation/decide.ts';
import { retried } from '../../domain/concurrency/retried.ts';
import type { CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';
import { claimName, releaseReservedName, NameTaken, type NameOwners } from './reservations.ts';

const TRIES = 5;

/** Functions for the owners of one kind of names. */
export interface ClaimUse {
  owners: NameOwners;
  /** Tests whether an error means that another process took over the claim of a command. */
  isLost: (error: unknown) => boolean;
}

/** Keeps names unique (reservations.ts), and runs the commands of this process for the same name one after another. */
export const uniqueNames = (handle: Handle, { owners, isLost }: ClaimUse) => {
  const exclusively = createKeyedMutex();
  const claim = claimName(handle, owners);
  return {
    claim,
    release: releaseReservedName(handle),

    /**
     * Claims a name that must not appear in error messages, such as a fingerprint.
     *
     * @param taken creates the error that is thrown if another owner holds the name
     * @throws ConcurrentChange if concurrent claims won every time
     */
    claimHidden: (name: UniqueName, ownerId: string, taken: () => Error, context: CommandContext): Promise<number> =>
      claim(name, ownerId, context).catch((error: unknown) => {
        if (error instanceof NameTaken) throw taken();
        throw error instanceof Conflict ? new ConcurrentChange() : error;
      }),

    /**
     * Runs a command that claims a name. Commands of this process that claim the same name run one after another. If
     * two of them ran concurrently, one would take the name over from the other, which is correct but slow.
     */
    inOrder: <T>({ kind, name }: UniqueName, command: () => Promise<T>): Promise<T> =>
      exclusively(`${kind} ${name}`, command),

    /** Runs a command, and repeats it if another process took over its claim, at most five times. @throws Conflict */
    untilClaimHolds: <T>(command: () => Promise<T>): Promise<T> =>
      retried(command, {
        tries: TRIES,
        retryOn: isLost,
        pause: (attempt) => sleep(20 * attempt * Math.random()),
      }),
  };
};
