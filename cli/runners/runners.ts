import { highestPosition } from '../../commands/engine/appended-positions.ts';
import { createRunner, releaseRegion, revokeRunner, rotateRunner } from '../../commands/runners.ts';
import { isPrivate, regionOf, REGIONS, type Region } from '../../domain/check/regions.ts';
import { NotFound } from '../../domain/errors.ts';
import type { Read } from '../../projections/readers.ts';
import type { RunnerDocument } from '../../projections/runners/projection.ts';
import { listAllRunners, findRunner, listRunners } from '../../queries/runners.ts';
import { commandLineContext } from '../../service/command-line.ts';
import type { Config } from '../../service/config/config.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { printable, table, type Output } from '../../service/output.ts';
import { findFirstOrganization, readRunners, withCommands } from '../../service/stores.ts';
import { waitUntilApplied } from '../api-keys/revocation.ts';
import { withOptionNames } from '../option-errors.ts';

/** Returns a runner as displayed, without the stored hashes of its tokens. */
export const presentRunner = (runner: RunnerDocument) => ({
  id: runner.id,
  organization_id: runner.organization_id,
  name: runner.name,
  region: runner.region,
  private: runner.private,
  created_at: runner.created_at,
  revoked_at: runner.revoked_at,
  released: runner.released,
  former_token_until: runner.former_token?.until ?? null,
  last_connected: runner.last_connected,
});

/** Finds a public region by its id or alias. @throws OperatorError */
const publicRegion = (option: string, name: string): Region => {
  const region = regionOf(name);
  if (region && isPrivate(region)) {
    throw new OperatorError(`${option}"${name}" is a private location, which its organization manages.`);
  }
  if (!region) {
    const known = REGIONS.map(({ aliases: [alias] }) => alias).join(', ');
    throw new OperatorError(`${option}The region "${name}" does not exist. Use one of ${known}.`);
  }
  return region;
};

/** Opens only the read model of runners. */
const readHere = async (config: Config): Promise<Read> => {
  const reader = await readRunners(config);
  return (() => reader) as unknown as Read;
};

/** Finds a runner by its id. @throws OperatorError the runner does not exist */
const runnerHere = async (config: Config, id: string): Promise<RunnerDocument> => {
  const read = await readHere(config);
  return findRunner({ read }, id).catch((error: unknown) => {
    throw error instanceof NotFound ? new OperatorError(`No runner has the id "${id}".`) : error;
  });
};

const tokenLines = async (token: string | null, about: string, json: object | null, output: Output): Promise<void> => {
  if (token === null) throw new Error('The token was not stored.');
  if (json) {
    await output.line(JSON.stringify({ ...json, token }));
    return;
  }
  await output.line(about);
  await output.line(token);
};

/**
 * `uptrail runner create`: creates a runner and prints its token alone on the last line. The token is shown only once.
 */
export const runCreateRunner = async (
  config: Config,
  options: { region: string; name?: string; json: boolean },
  output: Output,
): Promise<void> => {
  const region = publicRegion('--region: ', options.region);
  const name = (options.name ?? region.id).trim();
  const organizationId = await findFirstOrganization(config);
  const read = await readHere(config);
  const registered = async () =>
    (await listRunners({ read, organizationId })).filter(({ revoked_at }) => revoked_at === null);
  const context = commandLineContext(organizationId);
  const { id, token } = await withOptionNames({ name: '--name' }, () =>
    withCommands(config, ({ handle }) =>
      createRunner({ handle, runners: { registered } })({ name, region }, true, context),
    ),
  );
  const about =
    `The runner "${printable(name)}" (${id}) now serves ${region.id} instead of the built-in runner. ` +
    'Its token is shown only once:';
  await tokenLines(token, about, options.json ? { id, name, region: region.id } : null, output);
};

/** `uptrail runner list`: lists all runners, oldest first, including revoked ones. */
export const runListRunners = async (config: Config, { json }: { json: boolean }, output: Output): Promise<void> => {
  const runners = (await listAllRunners({ read: await readHere(config) })).reverse();
  if (json) {
    for (const runner of runners) await output.line(JSON.stringify(presentRunner(runner)));
    return;
  }
  const rows = runners.map((runner) => [
    runner.id,
    printable(runner.name),
    runner.region,
    runner.organization_id,
    runner.created_at.slice(0, 19),
    runner.last_connected?.at.slice(0, 19) ?? 'never',
    printable(runner.last_connected?.release ?? '-'),
    stateOf(runner),
  ]);
  const headings = ['ID', 'NAME', 'REGION', 'ORGANIZATION', 'CREATED (UTC)', 'CONNECTED (UTC)', 'VERSION', 'TOKEN'];
  for (const line of table(headings, rows)) await output.line(line);
};

/** Describes the state of a runner's token. */
const stateOf = ({ revoked_at, released, former_token }: RunnerDocument): string => {
  if (released) return 'revoked, region released';
  if (revoked_at !== null) return `revoked ${revoked_at.slice(0, 19)}`;
  return former_token === null ? 'valid' : `rotated, former until ${former_token.until.slice(0, 19)}`;
};

/** `uptrail runner rotate`: creates a new token for a runner and prints it alone on the last line. */
export const runRotateRunner = async (
  config: Config,
  { id, json }: { id: string; json: boolean },
  output: Output,
): Promise<void> => {
  const { organization_id, name, region } = await runnerHere(config, id);
  const context = commandLineContext(organization_id);
  const token = await withCommands(config, (dependencies) => rotateRunner(dependencies)(id, context));
  const about =
    `The runner "${printable(name)}" (${id}) has a new token. The present one works until the new one is used, ` +
    'at most for a day. The new token is shown only once:';
  await tokenLines(token, about, json ? { id, name, region } : null, output);
};

/**
 * Prints a message when the change is in effect.
 *
 * @throws OperatorError a running process has not confirmed the change
 */
const whenInEffect = async (config: Config, position: bigint, done: string, output: Output): Promise<void> => {
  const where = await waitUntilApplied(config, position);
  if (where !== null) {
    throw new OperatorError(
      `${done}, but may still be accepted: ${where}. To be sure, restart the process named here.`,
    );
  }
  await output.line(`${done}.`);
};

/**
 * `uptrail runner revoke`: revokes a runner and waits until every process rejects it.
 *
 * @throws OperatorError the runner does not exist; or it is revoked, but a running process has not confirmed this
 */
export const runRevokeRunner = async (config: Config, { id }: { id: string }, output: Output): Promise<void> => {
  const { organization_id, name } = await runnerHere(config, id);
  const context = commandLineContext(organization_id);
  await withCommands(config, (dependencies) => revokeRunner(dependencies)(id, context));
  const done = `The runner "${printable(name)}" (${id}) is revoked`;
  await whenInEffect(config, highestPosition(context.appended, 'main'), done, output);
};

/**
 * `uptrail runner release`: returns a region to the built-in runner.
 *
 * @throws OperatorError the built-in runner already serves the region; or the remote runners of the region are revoked,
 * but a running process has not confirmed this
 * @throws IllegalState runners of the region are not revoked
 */
export const runReleaseRegion = async (
  config: Config,
  { region: name, revoke }: { region: string; revoke: boolean },
  output: Output,
): Promise<void> => {
  const region = publicRegion('', name);
  const all = await listAllRunners({ read: await readHere(config) });
  const runners = all.filter((runner) => runner.region === region.id && !runner.released);
  const [first] = runners;
  if (!first) {
    throw new OperatorError(`The region "${region.id}" has no remote runner: the built-in runner already serves it.`);
  }
  const context = commandLineContext(first.organization_id);
  const ids = runners.map(({ id }) => id);
  await withCommands(config, (dependencies) => releaseRegion(dependencies)(ids, { revoke }, context));
  const done = `The built-in runner serves ${region.id} again; its remote runners are revoked`;
  await whenInEffect(config, highestPosition(context.appended, 'main'), done, output);
};
