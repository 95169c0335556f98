import { createOrganization } from '../commands/organizations/organizations.ts';
import { randomUUID } from 'node:crypto';
import { SELF_HOSTED } from '../domain/organization/plans.ts';
import { derivedId } from '../domain/identity.ts';
import type { Config } from '../service/config/config.ts';
import { commandLineContext } from '../service/command-line.ts';
import { printable, table, type Output } from '../service/output.ts';
import { withOptionNames } from './option-errors.ts';
import { readOrganizations, withCommands } from '../service/stores.ts';

/** `uptrail organization create`: creates an organization and prints its id. */
export const runCreateOrganization = async (
  config: Config,
  { name, json }: { name: string; json: boolean },
  output: Output,
): Promise<void> => {
  const id = derivedId(randomUUID());
  await withOptionNames({ name: '--name' }, () =>
    withCommands(config, (dependencies) => createOrganization(dependencies)({ name }, commandLineContext(id))),
  );
  await output.line(
    json ? JSON.stringify({ id, name: name.trim() }) : `The organization "${printable(name.trim())}" has the id ${id}.`,
  );
};

/** `uptrail organization list`: lists all organizations, oldest first. */
export const listOrganizations = async (config: Config, { json }: { json: boolean }, output: Output): Promise<void> => {
  const reader = await readOrganizations(config);
  const organizations = await reader.organizations.find({ sort: { created_at: 1 } });
  const plans = config.plans ?? SELF_HOSTED;
  if (json) {
    for (const { id, name, plan, credit_limit, created_at, updated_at } of organizations) {
      const shown = { id, name, plan: (plan ?? plans.default).id, credit_limit, created_at, updated_at };
      await output.line(JSON.stringify(shown));
    }
    return;
  }
  const rows = organizations.map(({ id, name, credit_limit, created_at }) => [
    id,
    printable(name),
    credit_limit?.toString() ?? 'none',
    created_at.slice(0, 19),
  ]);
  for (const line of table(['ID', 'NAME', 'CREDIT LIMIT', 'CREATED (UTC)'], rows)) await output.line(line);
};
