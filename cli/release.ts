import { releaseCheck } from '../commands/checks/checks.ts';
import { streamOf } from '../domain/decider.ts';
import { IllegalState, NotFound } from '../domain/errors.ts';
import type { Config } from '../service/config/config.ts';
import { commandLineContext } from '../service/command-line.ts';
import type { Output } from '../service/output.ts';
import { OperatorError } from '../service/operator-error.ts';
import { openLog, siteOf, withCommands } from '../service/stores.ts';

/**
 * `uptrail queue release`: lets a check run again whose runs ended the probe process twice.
 *
 * @throws OperatorError there is no such check, or it is not parked
 */
export const releaseCheckHere = async (config: Config, { id }: { id: string }, output: Output): Promise<void> => {
  const organizationId = await organizationOf(config, id);
  if (organizationId === null) throw new OperatorError(`There is no check with the id "${id}".`);
  try {
    await withCommands(config, (dependencies) => releaseCheck(dependencies)(id, commandLineContext(organizationId)));
  } catch (error) {
    if (error instanceof NotFound) throw new OperatorError(`The check "${id}" was deleted.`);
    if (error instanceof IllegalState) throw new OperatorError(`The check "${id}" is not parked.`);
    throw error;
  }
  await output.line(`The check ${id} runs again, as it is.`);
};

/** Whose a check is, by the first event of its stream; null when there is none. */
const organizationOf = async (config: Config, id: string): Promise<string | null> => {
  const main = await openLog(siteOf(config), 'main', 'reader');
  try {
    const [created] = await main.readStream(streamOf('check', id), { limit: 1 });
    return created?.metadata.organization_id ?? null;
  } finally {
    await main.close();
  }
};
