import { highestPosition } from '../../commands/engine/appended-positions.ts';
import { createApiKey, randomApiKey, revokeApiKey } from '../../commands/organizations/api-keys.ts';
import { prefixOfApiKey } from '../../domain/organization/api-key.ts';
import { parseInstant } from '../../domain/time.ts';
import type { ApiKeyDocument } from '../../projections/organizations/documents.ts';
import type { Config } from '../../service/config/config.ts';
import { commandLineContext } from '../../service/command-line.ts';
import { printable, table, type Output } from '../../service/output.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { withOptionNames, noSuchOrganization, orNoSuchOrganization } from '../option-errors.ts';
import { waitUntilApplied } from './revocation.ts';
import { readOrganizations, withCommands } from '../../service/stores.ts';

/** Returns an API key as displayed. It contains only the first characters of the key itself. */
export const presentApiKey = (key: ApiKeyDocument) => ({
  id: key.api_key_id,
  organization_id: key.organization_id,
  name: key.name,
  prefix: key.prefix,
  role: key.role,
  created_by: key.created_by,
  created_at: key.created_at,
  expires_at: key.expires_at,
  allowed_ips: key.allowed_ips,
});

export interface ApiKeyOptions {
  organization: string;
  role: string;
  name: string;
  /** an ISO 8601 time; absent: the key never expires */
  expires?: string | undefined;
  /** addresses and CIDR ranges from which the key can be used; absent: any address */
  allowedIp?: string[] | undefined;
  json: boolean;
}

/** `uptrail api-key create`: prints the new key. The key is never shown again. */
export const runCreateApiKey = async (config: Config, options: ApiKeyOptions, output: Output): Promise<void> => {
  const expires_at = options.expires === undefined ? null : parseInstant(options.expires);
  if (options.expires !== undefined && expires_at === null) {
    throw new OperatorError(
      `--expires: "${options.expires}" is not a valid time. Write it as 2027-11-20T15:04:05Z or 2027-11-20.`,
    );
  }
  const key = randomApiKey();
  const context = commandLineContext(options.organization);
  const { role, allowedIp: allowed_ips = [] } = options;
  const name = options.name.trim();
  const id = await withOptionNames(
    { name: '--name', role: '--role', expires_at: '--expires', allowed_ips: '--allowed-ip' },
    () =>
      withCommands(config, (dependencies) =>
        createApiKey(dependencies)({ name, role, expires_at, allowed_ips, key }, context).catch(
          orNoSuchOrganization(options.organization),
        ),
      ),
    { allowed_ips },
  );
  if (options.json) {
    await output.line(
      JSON.stringify({ id, name, prefix: prefixOfApiKey(key), role, expires_at, allowed_ips, token: key }),
    );
    return;
  }
  await output.line(
    `The API key "${printable(name)}" has the id ${id} and the role ${role}. The key is shown only once:`,
  );
  await output.line(key);
};

/**
 * `uptrail api-key list`: lists the keys of one organization, or of all organizations. The oldest key comes first;
 * expired keys are included.
 */
export const listApiKeys = async (
  config: Config,
  { organization, json }: { organization?: string | undefined; json: boolean },
  output: Output,
): Promise<void> => {
  const reader = await readOrganizations(config);
  if (organization !== undefined && !(await reader.organizations.get(organization)))
    throw noSuchOrganization(organization);
  const where = organization === undefined ? {} : { organization_id: organization };
  const keys = await reader.api_keys.find({ where, sort: { created_at: 1 } });
  if (json) {
    for (const key of keys) await output.line(JSON.stringify(presentApiKey(key)));
    return;
  }
  const rows = keys.map((key) => [
    key.api_key_id,
    printable(key.name),
    `${printable(key.prefix)}…`,
    key.role,
    key.organization_id,
    key.created_at.slice(0, 19),
    key.expires_at?.slice(0, 19) ?? 'never',
  ]);
  const headings = ['ID', 'NAME', 'KEY', 'ROLE', 'ORGANIZATION', 'CREATED (UTC)', 'EXPIRES (UTC)'];
  for (const line of table(headings, rows)) await output.line(line);
};

/**
 * `uptrail api-key revoke`: revokes a key and waits until every process rejects it.
 *
 * @throws OperatorError the key does not exist; or it is revoked, but a running process has not confirmed this yet
 */
export const runRevokeApiKey = async (config: Config, { id }: { id: string }, output: Output): Promise<void> => {
  const [key] = await (await readOrganizations(config)).api_keys.find({ where: { api_key_id: id } });
  if (!key) throw new OperatorError(`No API key has the id "${id}".`);
  const context = commandLineContext(key.organization_id);
  await withCommands(config, (dependencies) => revokeApiKey(dependencies)(id, context));
  const where = await waitUntilApplied(config, highestPosition(context.appended, 'main'));
  const revoked = `The API key "${printable(key.name)}" (${id}) is revoked`;
  if (where === null) {
    await output.line(`${revoked}.`);
    return;
  }
  throw new OperatorError(
    `${revoked}, but may still be accepted: ${where}. To be sure, restart the process named here.`,
  );
};
