import { Option, type Command } from 'commander';
import { ROLES } from '../../domain/organization/roles.ts';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';

const JSON_OPTION = ['--json', 'one JSON object a line, for tools', false] as const;

interface Creating {
  organization: string;
  email: string;
  role: string;
  firstName?: string;
  lastName?: string;
  invite: boolean;
  json: boolean;
}

/** `uptrail user …`: the people who belong to organizations. */
export const addUsers = (program: Command, config: () => Config, output: Output): void => {
  const user = program.command('user').description('users of organizations; they are named by id or by e-mail');
  const here = () => import('./users.ts');
  const password = async (): Promise<string> =>
    (await import('./secret-input.ts')).readPassword(process.stdin, process.stderr);

  user
    .command('create')
    .description('make a user; the password is asked for at a terminal, else read from standard input')
    .requiredOption('--organization <id>', 'whom the user belongs to')
    .requiredOption('--email <address>', 'what the user signs in with')
    .requiredOption('--role <role>', `one of ${ROLES.join(', ')}`)
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--invite', 'ask for no password, and print the link that the user chooses one by', false)
    .option(...JSON_OPTION)
    .action(async ({ invite, ...options }: Creating) => {
      const { createUserHere, inviteUserHere } = await here();
      if (invite) await inviteUserHere(config(), options, output);
      else await createUserHere(config(), { ...options, password: await password() }, output);
    });

  user
    .command('list')
    .description('list users, the oldest first')
    .option('--organization <id>', 'of one organization only')
    .addOption(
      new Option('--status <status>', 'default: invited and active ones; disabled: removed').choices([
        'invited',
        'active',
        'disabled',
      ]),
    )
    .option(...JSON_OPTION)
    .action(async (options: { organization?: string; status?: string; json: boolean }) => {
      await (await here()).listUsersHere(config(), options, output);
    });

  user
    .command('set-role <user> <role>')
    .description(`give a user another role: ${ROLES.join(', ')}`)
    .action(async (name: string, role: string) => {
      await (await here()).setRoleHere(config(), name, role, output);
    });

  user
    .command('reset-password <user>')
    .description('print a link by which a user sets a new password')
    .option('--password-stdin', 'set one at once instead: asked for at a terminal, else from standard input', false)
    .option(...JSON_OPTION)
    .action(async (name: string, { passwordStdin, json }: { passwordStdin: boolean; json: boolean }) => {
      const { resetPasswordHere, setPasswordHere } = await here();
      if (passwordStdin) await setPasswordHere(config(), name, await password(), output);
      else await resetPasswordHere(config(), name, { json }, output);
    });

  user
    .command('disable-second-factor <user>')
    .description('let a user who has lost the second factor sign in without')
    .action(async (name: string) => {
      await (await here()).disableSecondFactorHere(config(), name, output);
    });

  user
    .command('remove <user>')
    .description('end the access of a user, with sessions and API keys; the name stays in the audit log')
    .action(async (name: string) => {
      await (await here()).removeUserHere(config(), name, output);
    });

  user
    .command('forget <user>')
    .description('remove a user and delete the key of names and e-mail for good: they show as [forgotten] everywhere')
    .action(async (name: string) => {
      await (await here()).forgetUserHere(config(), name, output);
    });
};
