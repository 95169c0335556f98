import { ConcurrentChange, Conflict } from '../../domain/errors.ts';
import { notFound } from '../../domain/existence.ts';
import { retried } from '../../domain/concurrency/retried.ts';
import * as decide from '../../domain/secret/decide.ts';
import type { SecretEvent } from '../../domain/secret/events.ts';
import { existing, secretDecider, type Secret } from '../../domain/secret/state.ts';
import { markOf, type ManagedObject } from '../../domain/managed/managed-by.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { KeyForgotten, type Keys } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

/** The body of a request that creates a secret. */
export interface SecretInput extends ManagedObject {
  secret_name: string;
  secret_value: string;
}

/** Maximum number of attempts of a command that conflicts with concurrent commands. */
const TRIES = 5;
/** Maximum number of check names in an error message. */
const MAX_NAMES = 10;

const sealed = (
  keys: Keys,
  secretId: string,
  value: string,
  { organizationId }: Pick<CommandContext, 'organizationId'>,
): Promise<Sealed> => keys.seal(decide.secretKey(secretId), value, { organizationId, field: decide.SECRET_VALUE });

/** Creates a secret. @returns its id @throws SecretNameTaken */
export const createSecret =
  ({ handle, keys, secretNames }: CommandDependencies) =>
  ({ secret_name: name, secret_value: value, ...input }: SecretInput, context: CommandContext): Promise<string> =>
    secretNames.withClaim(name, context, async (id, claim) => {
      const decided = async (secret: Secret): Promise<SecretEvent> => {
        // Refuse a secret whose name was lost to another secret, before claiming the name and sealing the value.
        decide.requireCreatable(secret);
        const nameClaim = await claim();
        const sealedValue = await sealed(keys, id, value, context);
        const { organizationId } = context;
        return decide.createSecret(secret, {
          id,
          organizationId,
          name,
          nameClaim,
          value: sealedValue,
          ...markOf(input),
        });
      };
      try {
        await handle(id, secretDecider, decided, context);
      } catch (error) {
        if (error instanceof decide.SecretNameLost) await keys.forget(decide.secretKey(id));
        throw error;
      }
      return id;
    });

/** Changes the value of a secret, or `managed_by`, or both. Absent fields stay unchanged. @throws NotFound */
export const changeSecret =
  ({ handle, keys }: CommandDependencies) =>
  async (
    id: string,
    { secret_value: value, ...input }: Partial<Omit<SecretInput, 'secret_name'>>,
    context: CommandContext,
  ): Promise<void> => {
    await handle(
      id,
      secretDecider,
      async (secret) => {
        const marked = decide.changeManagedBy(secret, input);
        if (value === undefined) return marked;
        try {
          return [...marked, decide.changeValue(secret, await sealed(keys, id, value, context))];
        } catch (error) {
          // The key was deleted, which means that the secret is being deleted concurrently.
          throw error instanceof KeyForgotten ? notFound('secret') : error;
        }
      },
      context,
    );
  };

/** Records that a user reads the value of a secret. Must be called before the value is shown. @throws NotFound */
export const recordValueRead =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (id: string, context: CommandContext): Promise<void> => {
    // Concurrent reads are legitimate, so retry more often than `handle` does.
    await retried(() => handle(id, secretDecider, decide.readValue, context), {
      tries: TRIES,
      retryOn: (error) => error instanceof ConcurrentChange,
    });
  };

/** Creates the error for a secret that checks are bound to. @param names names of these checks */
const boundTo = (names: readonly string[]): Conflict => {
  const [named, others] = [names.slice(0, MAX_NAMES), names.length - MAX_NAMES];
  const list = [...named.map((name) => `"${name}"`), ...(others > 0 ? [`${others} more`] : [])];
  return new Conflict(`This secret is bound to the check${names.length === 1 ? '' : 's'} ${list.join(', ')}.`);
};

/**
 * Deletes a secret and its key, so that no copy of its value can be decrypted any more.
 *
 * @throws NotFound
 * @throws Conflict if checks are bound to the secret; the message names them
 */
export const deleteSecret =
  ({ handle, keys, secretClaims, secretNames }: CommandDependencies) =>
  async (id: string, context: CommandContext): Promise<void> => {
    const attempt = async (): Promise<string | null> => {
      const secret = await handle.load(id, secretDecider, context);
      const claims = secret.status === 'live' ? secret.claims : new Map<string, number>();
      const settled = await secretClaims.settle(id, claims, context);
      const names: string[] = [];
      await handle(
        id,
        secretDecider,
        (now) => {
          const { name } = existing(now);
          if (settled.boundTo.length > 0) throw boundTo(settled.boundTo);
          names.push(name);
          return decide.deleteSecret(now, settled.unused);
        },
        context,
      );
      return names[0] ?? null;
    };
    const name = await untilAllClaimsAreSettled(attempt);
    await keys.forget(decide.secretKey(id));
    // If the command is repeated, `name` is null. If the first run did not release the name, the next claimant takes
    // the name over.
    if (name !== null) await secretNames.release(name, id, context);
  };

/**
 * Repeats a deletion if a check claimed the secret concurrently.
 *
 * @throws ConcurrentChange if every attempt conflicted
 */
const untilAllClaimsAreSettled = <T>(attempt: () => Promise<T>): Promise<T> => {
  const isClaimed = (error: unknown): boolean => error instanceof decide.ClaimRepeated;
  return retried(attempt, { tries: TRIES, retryOn: isClaimed }).catch((error: unknown) => {
    throw isClaimed(error) ? new ConcurrentChange() : error;
  });
};
