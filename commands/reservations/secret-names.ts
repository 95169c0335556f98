import { setTimeout as sleep } from 'node:timers/promises';
import { ConcurrentChange, Conflict } from '../../domain/errors.ts';
import { createKeyedMutex } from '../../domain/mutex.ts';
import { abandonSecret, holdsName, SECRET_NAME_KIND, SecretNameLost } from '../../domain/secret/decide.ts';
import { secretDecider } from '../../domain/secret/state.ts';
import type { CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';
import { claimName, giveNameBack, NameTaken, type NameOwners } from './reservations.ts';

const TRIES = 5;

/** 409: the organization has a secret of that name. */
export class SecretNameTaken extends Conflict {
  constructor(name: string) {
    super(`There is a secret ${name} already.`, { json: { [SECRET_NAME_KIND]: ['Is taken.'] } });
  }
}

/** Closes the stream of a secret that was not created to its claim, in the name of the service. */
const owners = (handle: Handle): NameOwners => ({
  settle: async ({ ownerId }, _, context) => {
    const { state } = await handle(ownerId, secretDecider, (secret) => abandonSecret(secret, ownerId), context);
    return holdsName(state) ? 'holds the name' : 'closed to the claim';
  },
});

/**
 * Keeps the names of secrets unique in an organization (commands/reservations/reservations.ts); commands of one process that want
 * the same one run one after another.
 */
export const createSecretNames = (handle: Handle) => {
  const inTurn = createKeyedMutex();
  const claim = claimName(handle, owners(handle));
  const giveBack = giveNameBack(handle);
  const nameIn = ({ organizationId }: CommandContext, name: string) => ({
    kind: SECRET_NAME_KIND,
    name: `${organizationId} ${name}`,
  });
  const claimed = (name: string, secretId: string, context: CommandContext): Promise<number> =>
    claim(nameIn(context, name), secretId, context).catch((error: unknown) => {
      if (error instanceof NameTaken) throw new SecretNameTaken(name);
      throw error instanceof Conflict ? new ConcurrentChange() : error;
    });

  return {
    /**
     * Runs what creates a secret of a name, with an id and a claim, and again with another id while another process
     * takes that claim away.
     *
     * @throws SecretNameTaken
     * @throws Conflict others took it every time
     */
    holding: <T>(
      name: string,
      context: CommandContext,
      create: (secretId: string, claim: () => Promise<number>) => Promise<T>,
    ): Promise<T> =>
      inTurn(nameIn(context, name).name, async () => {
        for (let tries = 1; ; tries++) {
          const id = context.newId();
          try {
            return await create(id, () => claimed(name, id, context));
          } catch (error) {
            if (!(error instanceof SecretNameLost) || tries === TRIES) throw error;
            await sleep(20 * tries * Math.random());
          }
        }
      }),

    /** Frees the name of a secret that was deleted. */
    giveBack: (name: string, secretId: string, context: CommandContext): Promise<void> =>
      giveBack(nameIn(context, name), secretId, null, context),
  };
};

export type SecretNames = ReturnType<typeof createSecretNames>;
