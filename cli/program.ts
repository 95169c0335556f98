import { Command, InvalidArgumentError, Option } from 'commander';
import type { ApiKeyOptions } from './api-keys/api-keys.ts';
import { ROLES } from '../domain/organization/roles.ts';
import { readConfig, type Config } from '../service/config/config.ts';
import { interrupted } from './interrupted.ts';
import { addAudit } from './audit/program.ts';
import { escapedLines, type Output } from '../service/output.ts';
import { jsonObject, namedValue, PARAMETER_OPTIONS } from './probe/options.ts';
import type { OrganizationOptions } from './organization-details.ts';
import type { ProbeOptions } from './probe/probe.ts';
import { addBounce } from './bounce/program.ts';
import { addDeliveries } from './deliveries/program.ts';
import { addNotifications } from './notifications/program.ts';
import { addPages } from './page-export/program.ts';
import { addPayments } from './payments/program.ts';
import { addDuties } from './duties.ts';
import { addRunners } from './runners/program.ts';
import { addUsers } from './users/program.ts';
import { addKeysTransfer, addTransfer } from './transfer/program.ts';
import { version } from '../service/version.ts';
import { wholeNumber } from './whole-number.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Every command with its options. The code of a command is loaded only when it is called, so none waits for modules
 * that only others need.
 *
 * @param exit called with the exit code of a command that has one of its own
 */
export const createProgram = (environment: Environment, output: Output, exit: (code: number) => void): Command => {
  const config = (): Config => readConfig(environment);
  const program = new Command('uptrail')
    .description('Self-hosted monitoring and public status pages with a complete history')
    .version(version())
    .configureOutput({ writeErr: (text) => process.stderr.write(escapedLines(text)) })
    .exitOverride();

  addDuties(program, config, { environment, output, exit });
  addOrganizations(program, config, output);
  addPages(program, config, output);
  addPayments(program, config, output);
  addUsers(program, config, output);
  addRunners(program, config, output);
  addReading(program, config, output);
  addUpkeep(program, config, output, exit);
  addAudit(program, config, output, exit);
  addDeliveries(program, config, output);
  addBounce(program, config, { environment, output, exit });
  addNotifications(program, config, output);
  addTransfer(program, config, output);
  addProbe(program, config, output, exit);
  addEventStoreDb(program, environment, output);
  return program;
};

const JSON_OPTION = ['--json', 'one JSON object a line, for tools', false] as const;

const addOrganizations = (program: Command, config: () => Config, output: Output): void => {
  const organization = program.command('organization').description('organizations: each sees only its own resources');
  organization
    .command('create')
    .description('make an organization')
    .requiredOption('--name <name>', 'its name')
    .option(...JSON_OPTION)
    .action(async (options: { name: string; json: boolean }) => {
      const { createOrganizationHere } = await import('./organizations.ts');
      await createOrganizationHere(config(), options, output);
    });
  organization
    .command('list')
    .description('list all organizations, the oldest first')
    .option(...JSON_OPTION)
    .action(async (options: { json: boolean }) => {
      const { listOrganizations } = await import('./organizations.ts');
      await listOrganizations(config(), options, output);
    });

  organization
    .command('credit-limit <id> <credits>')
    .description('set how many credits an organization may use in a month (UTC); "none" for those of its plan')
    .action(async (id: string, limit: string) => {
      const { changeCreditLimitHere } = await import('./credit-limit.ts');
      await changeCreditLimitHere(config(), { id, limit }, output);
    });

  addOrganizationDetails(organization, config, output);
  addSubscribing(organization, config, output);
  addPlans(program, config, output);

  const apiKey = program.command('api-key').description('API keys of organizations');
  apiKey
    .command('create')
    .description('make an API key and show it once')
    .requiredOption('--organization <id>', 'whose key it is')
    .requiredOption('--role <role>', `one of ${ROLES.join(', ')}`)
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires <time>', 'when it expires (ISO 8601); without this it never does')
    .option('--allowed-ip <range...>', 'addresses and CIDR ranges that it works from; without this everywhere')
    .option(...JSON_OPTION)
    .action(async (options: ApiKeyOptions) => {
      const { createApiKeyHere } = await import('./api-keys/api-keys.ts');
      await createApiKeyHere(config(), options, output);
    });
  apiKey
    .command('list')
    .description('list API keys without the keys themselves')
    .option('--organization <id>', 'of one organization only')
    .option(...JSON_OPTION)
    .action(async (options: { organization?: string; json: boolean }) => {
      const { listApiKeys } = await import('./api-keys/api-keys.ts');
      await listApiKeys(config(), options, output);
    });
  apiKey
    .command('revoke <id>')
    .description('refuse an API key from now on')
    .action(async (id: string) => {
      const { revokeApiKeyHere } = await import('./api-keys/api-keys.ts');
      await revokeApiKeyHere(config(), { id }, output);
    });
};

const addOrganizationDetails = (organization: Command, config: () => Config, output: Output): void => {
  organization
    .command('show <id>')
    .description('what an organization is, what its plan allows, and what it uses of that')
    .option(...JSON_OPTION)
    .action(async (id: string, { json }: { json: boolean }) => {
      const { showOrganizationHere } = await import('./organization-details.ts');
      await showOrganizationHere(config(), { id, json }, output);
    });
  organization
    .command('rename <id> <name>')
    .description('give an organization another name')
    .action(async (id: string, name: string) => {
      const { updateOrganizationHere } = await import('./organization-details.ts');
      await updateOrganizationHere(config(), id, { name }, output, { name: 'The name' });
    });
  organization
    .command('update <id>')
    .description('change what is given; an empty text clears an invoice detail')
    .option('--name <name>', 'its name')
    .option('--auto-renew <on|off>', 'whether its subscription is continued by itself')
    .option('--legal-name <text>', 'who stands on its invoices')
    .option('--tax-id <text>', 'tax number on invoices')
    .option('--address <text>', 'address on invoices')
    .option('--email <address>', 'where invoices go')
    .action(async (id: string, options: OrganizationOptions) => {
      const { updateOrganizationHere } = await import('./organization-details.ts');
      await updateOrganizationHere(config(), id, options, output);
    });
};

const addSubscribing = (organization: Command, config: () => Config, output: Output): void => {
  organization
    .command('subscribe <id> <plan>')
    .description('give an organization a plan of PLANS_FILE, as if it was paid for')
    .option('--days <days>', 'how long; without this as long as the price of the plan pays for', wholeNumber)
    .action(async (id: string, plan: string, { days }: { days?: number }) => {
      const { subscribeHere } = await import('./organization-subscribe.ts');
      await subscribeHere(config(), { id, plan, ...(days !== undefined && { days }) }, output);
    });
};

const addPlans = (program: Command, config: () => Config, output: Output): void => {
  program
    .command('plans')
    .description('the plans of organizations that PLANS_FILE says')
    .option('--check <file>', 'say whether this file can be PLANS_FILE instead')
    .option(...JSON_OPTION)
    .action(async ({ check, json }: { check?: string; json: boolean }) => {
      const { checkPlans, listPlans } = await import('./plans.ts');
      if (check !== undefined) await checkPlans(check, output);
      else await listPlans(config(), { json }, output);
    });
};

const addReading = (program: Command, config: () => Config, output: Output): void => {
  program
    .command('history <kind> <id>')
    .description('who did what to a page, incident, check or organization, when, and what changed')
    .option('--at <time>', 'show it as it was then (ISO 8601) instead')
    .option(...JSON_OPTION)
    .action(async (kind: string, id: string, options: { at?: string; json: boolean }) => {
      const { historyHere } = await import('./history/here.ts');
      await historyHere(config(), { kind, id, ...options }, output);
    });
  program
    .command('replay')
    .description('write the events of a log as JSON lines')
    .option('--log <name>', 'main or results', logName, 'main')
    // As JSON, in which the help shows it, there is no bigint.
    .addOption(
      new Option('--from <position>', 'begin with the event at this position').argParser(position).default(0n, '0'),
    )
    .option('--type <type...>', 'events of these types only')
    .option('--stream <stream>', 'events of this stream only')
    .option('--follow', 'go on with events as they are appended', false)
    .option('--raw', 'also show results that are in the log more than once under one id', false)
    .action(async ({ log, from, type = [], stream, follow, raw }: ReplayArguments) => {
      const { replayHere } = await import('./replay/here.ts');
      await replayHere(config(), log, { from, types: type, stream, follow, raw }, output);
    });
  program
    .command('checks')
    .description('list checks, those that are down first: status, last result and response times')
    .option('--organization <id>', 'of one organization only')
    .option('--limit <checks>', 'how many at most', wholeNumber)
    .option('--watch', 'show them again every two seconds', false)
    .option(...JSON_OPTION)
    .action(async (options: { organization?: string; limit?: number; watch: boolean; json: boolean }) => {
      const { listChecksHere } = await import('./checks/checks.ts');
      const signal = options.watch ? interrupted() : new AbortController().signal;
      await listChecksHere(config(), { ...options, signal }, output);
    });
  program
    .command('alerts')
    .description('list active alerts, newest first: how bad it is, since when, and what is wrong')
    .option('--organization <id>', 'of one organization only')
    .option('--limit <alerts>', 'how many at most', wholeNumber)
    .option('--watch', 'show them again every two seconds', false)
    .option(...JSON_OPTION)
    .action(async (options: { organization?: string; limit?: number; watch: boolean; json: boolean }) => {
      const { listAlertsHere } = await import('./alerts/alerts.ts');
      const signal = options.watch ? interrupted() : new AbortController().signal;
      await listAlertsHere(config(), { ...options, signal }, output);
    });
  const queue = program
    .command('queue')
    .description('show what waits, runs and was given up in the queue of each region of the running service')
    .option(...JSON_OPTION)
    .action(async (options: { json: boolean }) => {
      const { listQueueHere } = await import('./queue.ts');
      await listQueueHere(config(), options, output);
    });
  queue
    .command('release <check>')
    .description('let a check run again that was suspended because its runs ended the probe process twice')
    .action(async (id: string) => {
      const { releaseCheckHere } = await import('./release.ts');
      await releaseCheckHere(config(), { id }, output);
    });
  program
    .command('projections')
    .description('list the read models: their progress, size and activity')
    .option(...JSON_OPTION)
    .option('--set-aside', 'list instead the documents that can not be shown, and why', false)
    .action(async (options: { json: boolean; setAside: boolean }) => {
      const { listProjectionsHere } = await import('./projections.ts');
      await listProjectionsHere(config(), options, output);
    });
};

interface ReplayArguments {
  log: 'main' | 'results';
  from: bigint;
  type?: string[];
  stream?: string;
  follow: boolean;
  raw: boolean;
}

const addUpkeep = (program: Command, config: () => Config, output: Output, exit: (code: number) => void): void => {
  program
    .command('rebuild [names...]')
    .description('build read models anew from the log; the service may run')
    .option('--all', 'all of them', false)
    .option('--verify', 'compare with the documents in use and print what differs', false)
    .action(async (names: string[], { all, verify }: { all: boolean; verify: boolean }, command: Command) => {
      if (all === names.length > 0) command.error('error: name the read models to rebuild, or say --all');
      const { rebuildHere } = await import('./rebuild/rebuild.ts');
      const equal = await rebuildHere(config(), { names, verify, signal: interrupted() }, output);
      if (!equal) exit(1);
    });
  program
    .command('backup <folder>')
    .description('copy the logs and the keys into a new folder; the service may run')
    .option('--verify', 'only check whether the backup in the folder is whole', false)
    .action(async (folder: string, { verify }: { verify: boolean }) => {
      const { backup } = await import('./backup/make.ts');
      const { verifyBackup } = await import('./backup/verify.ts');
      await (verify ? verifyBackup(folder, output) : backup(config(), folder, output));
    });
  program
    .command('restore <folder>')
    .description('replace the data by a backup, while no service runs')
    .option('--replace', 'even if there is data, which is kept aside', false)
    .action(async (folder: string, { replace }: { replace: boolean }) => {
      const { restore } = await import('./backup/restore.ts');
      await restore(config(), { folder, replace }, output);
    });
  program
    .command('verify')
    .description('read all stored data from beginning to end, to find damage by the disk; the service may run')
    .action(async () => {
      const { verifyHere } = await import('./backup/verify.ts');
      await verifyHere(config(), output);
    });
  const retention = program
    .command('retention')
    .description('show since when results are kept, and whether the clock would remove more than results say')
    .action(async () => {
      const { showRetention } = await import('./retention.ts');
      await showRetention(config(), output);
    });
  retention
    .command('confirm')
    .description('confirm that the clock is right, and remove what is past retention by it')
    .action(async () => {
      const { confirmRetention } = await import('./retention.ts');
      await confirmRetention(config(), output);
    });
  const reactors = program
    .command('reactors')
    .description('list automatic actions: their progress, what waits, and what they could not do')
    .option(...JSON_OPTION)
    .action(async (options: { json: boolean }) => {
      const { listReactorsHere } = await import('./reactors.ts');
      await listReactorsHere(config(), options, output);
    });
  reactors
    .command('retry <name> [item]')
    .description('try again at once what an automatic action could not do: one item, or all')
    .action(async (reactor: string, id: string | undefined) => {
      const { retryItemsHere } = await import('./reactors.ts');
      await retryItemsHere(config(), { reactor, id }, output);
    });
  reactors
    .command('resume')
    .description('let automatic actions go on after a restored backup')
    .option('--send', 'deliver the messages that wait', false)
    .option('--drop', 'give up the messages that wait', false)
    .action(async ({ send, drop }: { send: boolean; drop: boolean }, command: Command) => {
      if (send && drop) command.error('error: say --send or --drop, not both');
      const { resumeReactorsHere } = await import('./reactors.ts');
      await resumeReactorsHere(config(), send ? 'send' : drop ? 'drop' : null, output);
    });
  const keys = program.command('keys').description('keys of personal data and secrets');
  addKeysTransfer(keys, config, output);
  keys
    .command('new')
    .description('go on without the old keys, where they are lost for good: what they sealed stays unreadable')
    .action(async () => {
      const { makeNewKeys } = await import('./keys/new.ts');
      await makeNewKeys(config(), output);
    });
  keys
    .command('forget <name>')
    .description(
      'delete a key for good, as user-{id} or clients-{organization}-{year}-{month}: what it sealed shows as [forgotten] everywhere',
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
      'run one check without a service; of a URL (web, api), host:port (tcp), host, or the file of a script (synthetic, multistep). The exit code is 0 when it is ok',
    )
    .option('--timeout <seconds>', 'the longest time it may take', Number, 10)
    .option('--parameters <json>', 'parameters of the check; other options change them', jsonObject)
    .option('--env <variable>', 'synthetic, multistep: NAME=value, as secrets give it; may be repeated', namedValue)
    .option('--url <url>', 'synthetic, multistep: what paths in the script are relative to')
    .option('--json', 'one JSON object, for tools', false);
  for (const { flags, about, read } of PARAMETER_OPTIONS) {
    if (read) command.option(flags, about, read);
    else command.option(flags, about);
  }
  command.action(async (type: string, target: string, options: ProbeOptions) => {
    const { probe } = await import('./probe/probe.ts');
    const ok = await probe(config(), { type, target, options, signal: interrupted }, output);
    exit(ok ? 0 : 1);
  });
};

const addEventStoreDb = (program: Command, environment: Environment, output: Output): void => {
  program
    .command('eventstoredb')
    .description('cluster: the event store')
    .command('grant <user>')
    .description('let a user of EventStoreDB read what Uptrail reads, as the member of $admins in EVENTSTOREDB_URL')
    .action(async (user: string) => {
      const { grant } = await import('./grant.ts');
      await grant(environment, user, output);
    });
};

const logName = (text: string): 'main' | 'results' => {
  if (text === 'main' || text === 'results') return text;
  throw new InvalidArgumentError('The logs are main and results.');
};

const position = (text: string): bigint => {
  if (/^\d+$/.test(text)) return BigInt(text);
  throw new InvalidArgumentError('A position is a whole number.');
};
