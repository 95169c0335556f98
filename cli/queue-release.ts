import { releaseCheck } from '../commands/checks/checks.ts';
import { streamOf } from '../domain/decider.ts';
import { IllegalState, NotFound } from '../domain/errors.ts';
import type { Config } from '../service/config/config.ts';
import { commandLineContext } from '../service/command-line.ts';
import type { Output } from '../service/output.ts';
import { OperatorError } from '../service/operator-error.ts';
import { openLog, siteOf, withCommands } from '../service/stores.ts';

/**
 * `uptrail queue release`: resumes a check that was parked because its runs ended the probe process twice.
 *
 * @throws OperatorError the check does not exist, or is not parked
 */
export const runReleaseCheck = async (config: Config, { id }: { id: string }, output: Output): Promise<void> => {
  const organizationId = await organizationOf(config, id);
  if (organizationId === null) throw new OperatorError(`No check has the id "${id}".`);
  try {
    await withCommands(config, (dependencies) => releaseCheck(dependencies)(id, commandLineContext(organizationId)));
  } catch (error) {
    if (error instanceof NotFound) throw new OperatorError(`The check "${id}" was deleted.`);
    if (error instanceof IllegalState) throw new OperatorError(`The check "${id}" is not parked.`);
    throw error;
  }
  await output.line(`The check ${id} runs again, unchanged.`);
};

/** Returns the organization of a check, from the first event of its stream; null if the stream does not exist. */
const organizationOf = async (config: Config, id: string): Promise<string | null> => {
  const main = await openLog(siteOf(config), 'main', 'reader');
  try {
    const [created] = await main.readStream(streamOf('check', id), { limit: 1 });
    return created?.metadata.organization_id ?? null;
  } finally {
    await main.close();
  }
};
