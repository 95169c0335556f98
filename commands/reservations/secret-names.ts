import { Conflict } from '../../domain/errors.ts';
import { abandonSecret, holdsName, SECRET_NAME_KIND, SecretNameLost } from '../../domain/secret/decide.ts';
import { secretDecider } from '../../domain/secret/state.ts';
import type { CommandContext } from '../engine/context.ts';
import type { Handle } from '../engine/handle.ts';
import type { NameOwners } from './reservations.ts';
import { uniqueNames } from './unique-names.ts';

/** Error 409: the organization has a secret with this name. */
export class SecretNameTaken extends Conflict {
  constructor(name: string) {
    super(`A secret named ${name} already exists.`, { json: { [SECRET_NAME_KIND]: ['Is taken.'] } });
  }
}

/** Closes the stream of a secret that was not created, so that its claim can no longer be used. */
const owners = (handle: Handle): NameOwners => ({
  settle: async ({ ownerId }, _, context) => {
    const { state } = await handle(ownerId, secretDecider, (secret) => abandonSecret(secret, ownerId), context);
    return holdsName(state) ? 'holds the name' : 'closed to the claim';
  },
});

/** Keeps the names of secrets unique in each organization. */
export const createSecretNames = (handle: Handle) => {
  const names = uniqueNames(handle, { owners: owners(handle), isLost: (error) => error instanceof SecretNameLost });
  const nameIn = ({ organizationId }: CommandContext, name: string) => ({
    kind: SECRET_NAME_KIND,
    name: `${organizationId} ${name}`,
  });
  return {
    /**
     * Runs a command that creates a secret, with an id and a claim on the name. Runs it again with another id if
     * another process took over the claim.
     *
     * @throws SecretNameTaken
     * @throws Conflict if concurrent claims won every time
     */
    withClaim: <T>(
      name: string,
      context: CommandContext,
      create: (secretId: string, claim: () => Promise<number>) => Promise<T>,
    ): Promise<T> => {
      const unique = nameIn(context, name);
      const attempt = () => {
        const id = context.newId();
        return create(id, () => names.claimHidden(unique, id, () => new SecretNameTaken(name), context));
      };
      return names.inOrder(unique, () => names.untilClaimHolds(attempt));
    },

    /** Releases the name of a deleted secret. */
    release: (name: string, secretId: string, context: CommandContext): Promise<void> =>
      names.release(nameIn(context, name), secretId, null, context),
  };
};

export type SecretNames = ReturnType<typeof createSecretNames>;
