import { Option, type Command } from 'commander';
import { ROLES } from '../../domain/organization/roles.ts';
import type { Config } from '../../service/config/config.ts';
import type { Output } from '../../service/output.ts';

const JSON_OPTION = ['--json', 'print one JSON object a line, for tools', false] as const;

interface Creating {
  organization: string;
  email: string;
  role: string;
  firstName?: string;
  lastName?: string;
  invite: boolean;
  json: boolean;
}

/** Adds the commands `uptrail user …`, which manage the users of organizations. */
export const addUsers = (program: Command, config: () => Config, output: Output): void => {
  const user = program.command('user').description('manage users of organizations; name them by id or e-mail');
  const here = () => import('./users.ts');
  const password = async (): Promise<string> =>
    (await import('./secret-input.ts')).readPassword(process.stdin, process.stderr);

  user
    .command('create')
    .description('create a user; prompts for the password on a terminal, otherwise reads it from standard input')
    .requiredOption('--organization <id>', 'organization of the user')
    .requiredOption('--email <address>', 'e-mail address, used to sign in')
    .requiredOption('--role <role>', `one of ${ROLES.join(', ')}`)
    .option('--first-name <name>', 'first name')
    .option('--last-name <name>', 'last name')
    .option('--invite', 'ask for no password, and print a link with which the user chooses one', false)
    .option(...JSON_OPTION)
    .action(async ({ invite, ...options }: Creating) => {
      const { runCreateUser: createUserHere, runInviteUser: inviteUserHere } = await here();
      if (invite) await inviteUserHere(config(), options, output);
      else await createUserHere(config(), { ...options, password: await password() }, output);
    });

  user
    .command('list')
    .description('list users, oldest first')
    .option('--organization <id>', 'only users of one organization')
    .addOption(
      new Option(
        '--status <status>',
        'only users with this status; default: invited and active; disabled: removed',
      ).choices(['invited', 'active', 'disabled']),
    )
    .option(...JSON_OPTION)
    .action(async (options: { organization?: string; status?: string; json: boolean }) => {
      await (await here()).runListUsers(config(), options, output);
    });

  user
    .command('set-role <user> <role>')
    .description(`change the role of a user: ${ROLES.join(', ')}`)
    .action(async (name: string, role: string) => {
      await (await here()).runSetRole(config(), name, role, output);
    });

  user
    .command('reset-password <user>')
    .description('print a link with which a user sets a new password')
    .option('--password-stdin', 'set a password instead: prompts on a terminal, otherwise reads standard input', false)
    .option(...JSON_OPTION)
    .action(async (name: string, { passwordStdin, json }: { passwordStdin: boolean; json: boolean }) => {
      const { runResetPassword: resetPasswordHere, runSetPassword: setPasswordHere } = await here();
      if (passwordStdin) await setPasswordHere(config(), name, await password(), output);
      else await resetPasswordHere(config(), name, { json }, output);
    });

  user
    .command('disable-second-factor <user>')
    .description('disable the second factor of a user who has lost it')
    .action(async (name: string) => {
      await (await here()).runDisableSecondFactor(config(), name, output);
    });

  user
    .command('remove <user>')
    .description('end the access of a user, including sessions and API keys; the name stays in the audit log')
    .action(async (name: string) => {
      await (await here()).runRemoveUser(config(), name, output);
    });

  user
    .command('forget <user>')
    .description(
      'remove a user and permanently delete the key of names and e-mail: they show as [forgotten] everywhere',
    )
    .action(async (name: string) => {
      await (await here()).runForgetUser(config(), name, output);
    });
};
