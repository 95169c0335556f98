import { ConcurrentChange, Conflict } from '../../domain/errors.ts';
import { noSuch } from '../../domain/lifecycle.ts';
import * as decide from '../../domain/secret/decide.ts';
import type { SecretEvent } from '../../domain/secret/events.ts';
import { existing, secretDecider, type Secret } from '../../domain/secret/state.ts';
import type { Sealed } from '../../domain/sealed.ts';
import { KeyForgotten, type Keys } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

/** A secret as a caller sends it to be made. */
export interface SecretInput {
  secret_name: string;
  secret_value: string;
}

/** How often a command begins anew when others were faster. */
const TRIES = 5;

/** Checks that a refusal names. */
const MOST_NAMES = 10;

const sealed = (
  keys: Keys,
  secretId: string,
  value: string,
  { organizationId }: Pick<CommandContext, 'organizationId'>,
): Promise<Sealed> => keys.seal(decide.secretKey(secretId), value, { organizationId, field: decide.SECRET_VALUE });

/** Makes a secret. @returns its id @throws SecretNameTaken */
export const createSecret =
  ({ handle, keys, secretNames }: CommandDependencies) =>
  ({ secret_name: name, secret_value: value }: SecretInput, context: CommandContext): Promise<string> =>
    secretNames.holding(name, context, async (id, claim) => {
      const decided = async (secret: Secret): Promise<SecretEvent> => {
        // What was closed meanwhile claims nothing and seals nothing.
        decide.requireCreatable(secret);
        const nameClaim = await claim();
        const sealedValue = await sealed(keys, id, value, context);
        const { organizationId } = context;
        return decide.createSecret(secret, { id, organizationId, name, nameClaim, value: sealedValue });
      };
      try {
        await handle(id, secretDecider, decided, context);
      } catch (error) {
        if (error instanceof decide.SecretNameLost) await keys.forget(decide.secretKey(id));
        throw error;
      }
      return id;
    });

/** Gives a secret another value. @throws NotFound */
export const changeSecretValue =
  ({ handle, keys }: CommandDependencies) =>
  async (id: string, value: string, context: CommandContext): Promise<void> => {
    await handle(
      id,
      secretDecider,
      async (secret) => {
        existing(secret);
        try {
          return decide.changeValue(secret, await sealed(keys, id, value, context));
        } catch (error) {
          // It is being deleted.
          throw error instanceof KeyForgotten ? noSuch('secret') : error;
        }
      },
      context,
    );
  };

/** Stores that somebody reads a secret's value, before it is shown. @throws NotFound */
export const noteValueRead =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (id: string, context: CommandContext): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        await handle(id, secretDecider, decide.readValue, context);
        return;
      } catch (error) {
        // Many who read at once are in nobody's way.
        if (!(error instanceof ConcurrentChange) || tries === TRIES) throw error;
      }
    }
  };

/** 409: it is bound. @param names of the checks */
const boundTo = (names: readonly string[]): Conflict => {
  const [named, others] = [names.slice(0, MOST_NAMES), names.length - MOST_NAMES];
  const list = [...named.map((name) => `"${name}"`), ...(others > 0 ? [`${others.toString()} more`] : [])];
  return new Conflict(`This secret is bound to the check${names.length === 1 ? '' : 's'} ${list.join(', ')}.`);
};

/**
 * Deletes a secret, and forgets its value everywhere.
 *
 * @throws NotFound
 * @throws Conflict checks are bound to it, which it names
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
    const name = await untilAllAreSettled(attempt);
    await keys.forget(decide.secretKey(id));
    // Where it was done before, the next one that wants the name finds out.
    if (name !== null) await secretNames.giveBack(name, id, context);
  };

/** Begins anew while checks claim the secret. @throws ConcurrentChange they do so every time */
const untilAllAreSettled = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof decide.ClaimedAgain)) throw error;
      if (tries === TRIES) throw new ConcurrentChange();
    }
  }
};
