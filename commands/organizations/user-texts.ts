import type { Sealed } from '../../domain/sealed.ts';
import { userKey } from '../../domain/organization/user.ts';
import { personalName, type JoiningData } from '../../domain/organization/users.ts';
import type { Keys } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';

type Sealing = Pick<Keys, 'seal'>;

/** Seals personal data of a user of the context's organization. */
export const sealerOf =
  (keys: Sealing, userId: string, { organizationId }: Pick<CommandContext, 'organizationId'>) =>
  (field: 'email' | 'first_name' | 'last_name' | 'password', text: string): Promise<Sealed> =>
    keys.seal(userKey(userId), text, { organizationId, field });

/** The names of a user; null if unknown. */
export interface PersonalNames {
  first_name: string | null;
  last_name: string | null;
}

/** Normalises names for storage. @throws Invalid */
export const personalNames = ({ first_name, last_name }: PersonalNames): PersonalNames => ({
  first_name: first_name === null ? null : personalName(first_name, 'first_name'),
  last_name: last_name === null ? null : personalName(last_name, 'last_name'),
});

/** Seals the names and the password of a user who joins. @param hashed PHC string of the password */
export const sealJoiningData = async (
  keys: Sealing,
  userId: string,
  context: Pick<CommandContext, 'organizationId'>,
  { first_name, last_name }: PersonalNames,
  hashed: string,
): Promise<Omit<JoiningData, 'emailVerified'>> => {
  const seal = sealerOf(keys, userId, context);
  return {
    firstName: first_name === null ? null : await seal('first_name', first_name),
    lastName: last_name === null ? null : await seal('last_name', last_name),
    password: await seal('password', hashed),
  };
};
