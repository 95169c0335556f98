import type { CommandDependencies } from './dependencies.ts';
import { createPageNames } from './reservations/page-names.ts';
import { createQuotas, type QuotaDependencies } from './reservations/quotas.ts';
import { createSecretClaims } from './reservations/secret-claims.ts';
import { createSecretNames } from './reservations/secret-names.ts';
import { createUserEmails } from './reservations/user-emails.ts';

/** All commands, bound to their dependencies. Callers pass a command's function: `commands.bind(createPage)(input, context)`. */
export interface Commands {
  bind: <C>(command: (dependencies: CommandDependencies) => C) => C;
}

/** The dependencies that a process provides. {@link createCommands} derives the other dependencies from these. */
export type CommandParts = Omit<
  CommandDependencies,
  'pageNames' | 'quotas' | 'secretClaims' | 'secretNames' | 'userEmails'
> &
  Pick<QuotaDependencies, 'usage' | 'pause'>;

export const createCommands = ({ usage, pause, ...parts }: CommandParts): Commands => {
  const { handle, plans } = parts;
  const bound = {
    ...parts,
    pageNames: createPageNames(handle),
    quotas: createQuotas({ handle, plans, usage, ...(pause && { pause }) }),
    userEmails: createUserEmails(handle),
    secretNames: createSecretNames(handle),
    secretClaims: createSecretClaims(handle, pause),
  };
  return { bind: (command) => command(bound) };
};
