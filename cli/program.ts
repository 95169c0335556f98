import { Command } from 'commander';
import type { ApiKeyOptions } from './api-keys/api-keys.ts';
import { ROLES } from '../domain/organization/roles.ts';
import { readConfig, type Config } from '../service/config/config.ts';
import { interruptionSignal } from './interruption.ts';
import { addConfigurationFiles } from './apply/program.ts';
import { addAudit } from './audit/program.ts';
import { escapedLines, type Output } from '../service/output.ts';
import { jsonObject, namedValue, PARAMETER_OPTIONS } from './probe/options.ts';
import type { OrganizationOptions } from './organization-details.ts';
import type { ProbeOptions } from './probe/probe.ts';
import { addBounce } from './bounce/program.ts';
import { addDeliveries } from './deliveries/program.ts';
import { addImportFrom } from './import-from/program.ts';
import { addNotifications } from './notifications/program.ts';
import { addPages } from './page-export/program.ts';
import { addPayments } from './payments/program.ts';
import { addReplay } from './replay/program.ts';
import { addDuties } from './duties.ts';
import { FINISHING, pathOf } from './finishing.ts';
import { addRunners } from './runners/program.ts';
import { addSimulate } from './simulate/program.ts';
import { addStatement } from './statement/program.ts';
import { addUsers } from './users/program.ts';
import { addKeysTransfer, addTransfer } from './transfer/program.ts';
import { version } from '../service/version.ts';
import { wholeNumber } from './whole-number.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Creates all commands with their options. The code of a command is loaded when the command runs, so that no command
 * waits for modules which only others need.
 *
 * @param exit called with the exit code of a command that has exit codes of its own
 */
export const createProgram = (environment: Environment, output: Output, exit: (code: number) => void): Command => {
  const config = (): Config => readConfig(environment);
  const program = new Command('uptrail')
    .description('Self-hosted monitoring and public status pages with a complete history')
    .version(version())
    .configureOutput({ writeErr: (text) => process.stderr.write(escapedLines(text)) })
    .exitOverride()
    .hook('preAction', (_, command) => {
      if (FINISHING.has(pathOf(command))) output.outliveReader?.();
    });

  addDuties(program, config, { environment, output, exit });
  addOrganizations(program, config, output);
  addPages(program, config, output);
  addPayments(program, config, output);
  addUsers(program, config, output);
  addRunners(program, config, output);
  addReading(program, config, output, exit);
  addSimulate(program, config, output);
  addUpkeep(program, config, output, exit);
  addAudit(program, config, output, exit);
  addStatement(program, config, output, exit);
  addDeliveries(program, config, output);
  addBounce(program, config, { environment, output, exit });
  addNotifications(program, config, output);
  addConfigurationFiles(program, { environment, output, exit });
  addImportFrom(program, { environment, output });
  addTransfer(program, config, output, environment);
  addProbe(program, config, output, exit);
  addEventStoreDb(program, environment, output);
  return program;
};

const JSON_OPTION = ['--json', 'print one JSON object a line, for tools', false] as const;

const addOrganizations = (program: Command, config: () => Config, output: Output): void => {
  const organization = program
    .command('organization')
    .description('manage organizations: each sees only its own resources');
  organization
    .command('create')
    .description('create an organization')
    .requiredOption('--name <name>', 'name of the organization')
    .option(...JSON_OPTION)
    .action(async (options: { name: string; json: boolean }) => {
      const { runCreateOrganization: createOrganizationHere } = await import('./organizations.ts');
      await createOrganizationHere(config(), options, output);
    });
  organization
    .command('list')
    .description('list all organizations, oldest first')
    .option(...JSON_OPTION)
    .action(async (options: { json: boolean }) => {
      const { listOrganizations } = await import('./organizations.ts');
      await listOrganizations(config(), options, output);
    });

  organization
    .command('credit-limit <id> <credits>')
    .description('set the monthly credit limit of an organization (UTC months); "none" for the limit of its plan')
    .action(async (id: string, limit: string) => {
      const { runChangeCreditLimit: changeCreditLimitHere } = await import('./credit-limit.ts');
      await changeCreditLimitHere(config(), { id, limit }, output);
    });

  addOrganizationDetails(organization, config, output);
  addSubscribing(organization, config, output);
  addPlans(program, config, output);

  const apiKey = program.command('api-key').description('manage API keys of organizations');
  apiKey
    .command('create')
    .description('create an API key and show it once')
    .requiredOption('--organization <id>', 'organization of the key')
    .requiredOption('--role <role>', `one of ${ROLES.join(', ')}`)
    .requiredOption('--name <name>', 'purpose of the key')
    .option('--expires <time>', 'when it expires (ISO 8601); default: never')
    .option('--allowed-ip <range...>', 'addresses and CIDR ranges it may be used from; default: any')
    .option(...JSON_OPTION)
    .action(async (options: ApiKeyOptions) => {
      const { runCreateApiKey: createApiKeyHere } = await import('./api-keys/api-keys.ts');
      await createApiKeyHere(config(), options, output);
    });
  apiKey
    .command('list')
    .description('list API keys without the keys themselves')
    .option('--organization <id>', 'only keys of one organization')
    .option(...JSON_OPTION)
    .action(async (options: { organization?: string; json: boolean }) => {
      const { listApiKeys } = await import('./api-keys/api-keys.ts');
      await listApiKeys(config(), options, output);
    });
  apiKey
    .command('revoke <id>')
    .description('revoke an API key')
    .action(async (id: string) => {
      const { runRevokeApiKey: revokeApiKeyHere } = await import('./api-keys/api-keys.ts');
      await revokeApiKeyHere(config(), { id }, output);
    });
};

const addOrganizationDetails = (organization: Command, config: () => Config, output: Output): void => {
  organization
    .command('show <id>')
    .description('show an organization, its plan and usage')
    .option(...JSON_OPTION)
    .action(async (id: string, { json }: { json: boolean }) => {
      const { runShowOrganization: showOrganizationHere } = await import('./organization-details.ts');
      await showOrganizationHere(config(), { id, json }, output);
    });
  organization
    .command('rename <id> <name>')
    .description('rename an organization')
    .action(async (id: string, name: string) => {
      const { runUpdateOrganization: updateOrganizationHere } = await import('./organization-details.ts');
      await updateOrganizationHere(config(), id, { name }, output, { name: 'The name' });
    });
  organization
    .command('update <id>')
    .description('change an organization; an empty text clears an invoice detail')
    .option('--name <name>', 'name of the organization')
    .option('--auto-renew <on|off>', 'whether its subscription renews automatically')
    .option('--legal-name <text>', 'legal name on its invoices')
    .option('--tax-id <text>', 'tax number on invoices')
    .option('--address <text>', 'address on invoices')
    .option('--email <address>', 'e-mail address for invoices')
    .action(async (id: string, options: OrganizationOptions) => {
      const { runUpdateOrganization: updateOrganizationHere } = await import('./organization-details.ts');
      await updateOrganizationHere(config(), id, options, output);
    });
};

const addSubscribing = (organization: Command, config: () => Config, output: Output): void => {
  organization
    .command('subscribe <id> <plan>')
    .description('give an organization a plan of PLANS_FILE, as if it had been paid for')
    .option('--days <days>', 'duration; default: the days that the price of the plan covers', wholeNumber)
    .action(async (id: string, plan: string, { days }: { days?: number }) => {
      const { runSubscribe: subscribeHere } = await import('./organization-subscribe.ts');
      await subscribeHere(config(), { id, plan, ...(days !== undefined && { days }) }, output);
    });
};

const addPlans = (program: Command, config: () => Config, output: Output): void => {
  program
    .command('plans')
    .description('list the plans of PLANS_FILE')
    .option('--check <file>', 'validate a file for use as PLANS_FILE')
    .option(...JSON_OPTION)
    .action(async ({ check, json }: { check?: string; json: boolean }) => {
      const { checkPlans, listPlans } = await import('./plans.ts');
      if (check !== undefined) await checkPlans(check, output);
      else await listPlans(config(), { json }, output);
    });
};

const addReading = (program: Command, config: () => Config, output: Output, exit: (code: number) => void): void => {
  program
    .command('history <kind> <id>')
    .description('show who changed a page, incident, check or organization, when, and how')
    .option('--at <time>', 'show the resource at this time instead (ISO 8601)')
    .option(...JSON_OPTION)
    .action(async (kind: string, id: string, options: { at?: string; json: boolean }) => {
      const { runHistory: historyHere } = await import('./history/command.ts');
      await historyHere(config(), { kind, id, ...options }, output);
    });
  addReplay(program, config, output, exit);
  program
    .command('checks')
    .description('list checks, those that are down first: status, last result and response times')
    .option('--organization <id>', 'only checks of one organization')
    .option('--limit <checks>', 'maximum number of checks', wholeNumber)
    .option('--watch', 'refresh every two seconds', false)
    .option(...JSON_OPTION)
    .action(async (options: { organization?: string; limit?: number; watch: boolean; json: boolean }) => {
      const { runListChecks: listChecksHere } = await import('./checks/checks.ts');
      const signal = options.watch ? interruptionSignal() : new AbortController().signal;
      await listChecksHere(config(), { ...options, signal }, output);
    });
  program
    .command('alerts')
    .description('list active alerts, newest first: severity, start and cause')
    .option('--organization <id>', 'only alerts of one organization')
    .option('--limit <alerts>', 'maximum number of alerts', wholeNumber)
    .option('--watch', 'refresh every two seconds', false)
    .option(...JSON_OPTION)
    .action(async (options: { organization?: string; limit?: number; watch: boolean; json: boolean }) => {
      const { runListAlerts: listAlertsHere } = await import('./alerts/alerts.ts');
      const signal = options.watch ? interruptionSignal() : new AbortController().signal;
      await listAlertsHere(config(), { ...options, signal }, output);
    });
  const queue = program
    .command('queue')
    .description('show the waiting, running and parked runs in the queue of each region of the running service')
    .option(...JSON_OPTION)
    .action(async (options: { json: boolean }) => {
      const { runListQueue: listQueueHere } = await import('./queue.ts');
      await listQueueHere(config(), options, output);
    });
  queue
    .command('release <check>')
    .description('resume a check that was suspended because its runs ended the probe process twice')
    .action(async (id: string) => {
      const { runReleaseCheck: releaseCheckHere } = await import('./queue-release.ts');
      await releaseCheckHere(config(), { id }, output);
    });
  program
    .command('projections')
    .description('list the read models: progress, size and activity')
    .option(...JSON_OPTION)
    .option('--set-aside', 'list the events and documents that were set aside as unprocessable, and why', false)
    .action(async (options: { json: boolean; setAside: boolean }) => {
      const { runListProjections: listProjectionsHere } = await import('./projections.ts');
      await listProjectionsHere(config(), options, output);
    });
};

interface RebuildCommandOptions {
  all: boolean;
  verify: boolean;
  ahead: boolean;
}

const addUpkeep = (program: Command, config: () => Config, output: Output, exit: (code: number) => void): void => {
  program
    .command('rebuild [names...]')
    .description('rebuild read models from the log; the service may run')
    .option('--all', 'rebuild all of them', false)
    .option('--verify', 'compare with the documents in use and print the differences', false)
    .option('--ahead', 'build only what this release still lacks, while another release serves', false)
    .action(async (names: string[], options: RebuildCommandOptions, command: Command) => {
      const { all, verify, ahead } = options;
      if (ahead && verify) command.error('error: --verify cannot be used with --ahead, which replaces no documents');
      if (all && names.length > 0) command.error('error: name the read models to rebuild, or use --all');
      if (ahead) {
        const { runRebuildAhead: rebuildAheadHere } = await import('./rebuild/ahead.ts');
        await rebuildAheadHere(config(), { names, signal: interruptionSignal() }, output);
        return;
      }
      if (!all && names.length === 0) command.error('error: name the read models to rebuild, or use --all');
      const { runRebuild: rebuildHere } = await import('./rebuild/rebuild.ts');
      const equal = await rebuildHere(config(), { names, verify, signal: interruptionSignal() }, output);
      if (!equal) exit(1);
    });
  program
    .command('backup <folder>')
    .description('copy the logs and the keys into a new folder; the service may run')
    .option('--verify', 'only verify that the backup in the folder is intact', false)
    .action(async (folder: string, { verify }: { verify: boolean }) => {
      const { backup } = await import('./backup/make.ts');
      const { verifyBackup } = await import('./backup/verify.ts');
      await (verify ? verifyBackup(folder, output) : backup(config(), folder, output));
    });
  program
    .command('restore <folder>')
    .description('replace the data with a backup; stop the service first')
    .option('--replace', 'replace existing data, which is moved aside', false)
    .action(async (folder: string, { replace }: { replace: boolean }) => {
      const { restore } = await import('./backup/restore.ts');
      await restore(config(), { folder, replace }, output);
    });
  program
    .command('verify')
    .description('read all stored data to find damage, such as from a failing disk; the service may run')
    .action(async () => {
      const { runVerify: verifyHere } = await import('./backup/verify.ts');
      await verifyHere(config(), output);
    });
  const retention = program
    .command('retention')
    .description('show the start of stored results, and whether the clock would remove more than the results justify')
    .action(async () => {
      const { showRetention } = await import('./retention.ts');
      await showRetention(config(), output);
    });
  retention
    .command('confirm')
    .description('confirm that the clock is right, and remove what is past retention')
    .action(async () => {
      const { confirmRetention } = await import('./retention.ts');
      await confirmRetention(config(), output);
    });
  const reactors = program
    .command('reactors')
    .description('list reactors (automatic actions): progress, waiting and failed items')
    .option(...JSON_OPTION)
    .action(async (options: { json: boolean }) => {
      const { runListReactors: listReactorsHere } = await import('./reactors.ts');
      await listReactorsHere(config(), options, output);
    });
  reactors
    .command('retry <name> [item]')
    .description('retry failed items of a reactor now: one item, or all')
    .action(async (reactor: string, id: string | undefined) => {
      const { runRetryItems: retryItemsHere } = await import('./reactors.ts');
      await retryItemsHere(config(), { reactor, id }, output);
    });
  reactors
    .command('resume')
    .description('resume reactors after a backup was restored')
    .option('--send', 'deliver the waiting messages', false)
    .option('--drop', 'drop the waiting messages', false)
    .action(async ({ send, drop }: { send: boolean; drop: boolean }, command: Command) => {
      if (send && drop) command.error('error: use either --send or --drop');
      const { runResumeReactors: resumeReactorsHere } = await import('./reactors.ts');
      await resumeReactorsHere(config(), send ? 'send' : drop ? 'drop' : null, output);
    });
  const keys = program.command('keys').description('manage keys of personal data and secrets');
  addKeysTransfer(keys, config, output);
  keys
    .command('new')
    .description('start with new keys when the old ones are lost for good: what they sealed stays unreadable')
    .action(async () => {
      const { makeNewKeys } = await import('./keys/new.ts');
      await makeNewKeys(config(), output);
    });
  keys
    .command('forget <name>')
    .description(
      'delete a key for good, such as user-{id} or clients-{organization}-{year}-{month}: what it sealed shows as [forgotten] everywhere',
    )
    .action(async (name: string) => {
      const { forgetKey } = await import('./keys/keys.ts');
      await forgetKey(config(), name, output);
    });
};

const addProbe = (program: Command, config: () => Config, output: Output, exit: (code: number) => void): void => {
  const command = program
    .command('probe <type> <target>')
    .description(
      'run one check without a service; the target is a URL (web, api), host:port (tcp), a host, or a script file (synthetic, multistep). Exits with 0 if it is up',
    )
    .option('--timeout <seconds>', 'time limit of the run', Number, 10)
    .option('--parameters <json>', 'parameters of the check; other options override them', jsonObject)
    .option(
      '--env <variable>',
      'synthetic, multistep: NAME=value, as if bound as a secret; may be repeated',
      namedValue,
    )
    .option('--url <url>', 'synthetic, multistep: base URL of relative paths in the script')
    .option('--json', 'print one JSON object, for tools', false);
  for (const { flags, about, read } of PARAMETER_OPTIONS) {
    if (read) command.option(flags, about, read);
    else command.option(flags, about);
  }
  command.action(async (type: string, target: string, options: ProbeOptions) => {
    const { probe } = await import('./probe/probe.ts');
    const ok = await probe(config(), { type, target, options, signal: interruptionSignal }, output);
    exit(ok ? 0 : 1);
  });
};

const addEventStoreDb = (program: Command, environment: Environment, output: Output): void => {
  program
    .command('eventstoredb')
    .description('cluster: manage the event store')
    .command('grant <user>')
    .description(
      'grant a user of EventStoreDB the read rights that Uptrail needs, as the member of $admins in EVENTSTOREDB_URL',
    )
    .action(async (user: string) => {
      const { grantReadRights: grant } = await import('./eventstoredb-grant.ts');
      await grant(environment, user, output);
    });
};
