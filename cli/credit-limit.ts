import { changeCreditLimit } from '../commands/organizations/organizations.ts';
import { creditPeriodOf } from '../domain/credits/period.ts';
import { SELF_HOSTED } from '../domain/organization/plans.ts';
import { instantOf } from '../domain/time.ts';
import { readCreditsUsed } from '../queries/organizations/credits.ts';
import type { Config } from '../service/config/config.ts';
import { commandLineContext } from '../service/command-line.ts';
import type { Output } from '../service/output.ts';
import { OperatorError } from '../service/operator-error.ts';
import { openConfiguredReadModels } from './read-models.ts';
import { withCommands } from '../service/stores.ts';

/** Number of days in the longest month. */
const LONGEST_MONTH = 31;

/** `uptrail organization credit-limit`: sets the monthly credit limit of an organization. */
export const runChangeCreditLimit = async (
  config: Config,
  { id, limit: text }: { id: string; limit: string },
  output: Output,
): Promise<void> => {
  const limit = limitIn(text);
  if (limit !== null && config.resultRetentionDays < LONGEST_MONTH) {
    throw new OperatorError(
      `Monthly credits are counted from stored results: to set a limit, RESULT_RETENTION_DAYS must be at least ${LONGEST_MONTH}.`,
    );
  }
  const now = instantOf(Date.now());
  const used = await usedBy(config, id, now);
  await withCommands(config, (dependencies) =>
    changeCreditLimit({ ...dependencies, plans: config.plans ?? SELF_HOSTED })(
      { limit, usage: { period_start: creditPeriodOf(now).start, used } },
      commandLineContext(id),
    ),
  );
  const allowed = limit === null ? 'the credits of its plan' : `${limit} credits a month`;
  await output.line(`The organization ${id} may use ${allowed}. Used this month: ${used}.`);
};

const usedBy = async (config: Config, id: string, now: string): Promise<number> => {
  const { read, close } = await openConfiguredReadModels(config);
  try {
    return await readCreditsUsed({ read, organizationId: id, now });
  } finally {
    await close();
  }
};

const limitIn = (text: string): number | null => {
  if (text === 'none') return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new OperatorError(`"${text}" is not a credit limit. Write a whole number, or none.`);
};
