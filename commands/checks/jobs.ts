import { requireComplete, requireRunnable, withOneTarget } from '../../domain/check/definition.ts';
import { checkDecider, existing } from '../../domain/check/state.ts';
import { costOf } from '../../domain/credits/costs.ts';
import { CreditLimitExceeded } from '../../domain/credits/credits.ts';
import { queueJob } from '../../domain/job/decide.ts';
import type { JobDefinition } from '../../domain/job/events.ts';
import { jobKey } from '../../domain/job/run.ts';
import { jobDecider } from '../../domain/job/state.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';
import { sealParameters } from './sealing.ts';

/**
 * Queues a run of a check, even if the check is not active. If no runner of the region is connected, the run waits
 * until a runner connects. If none connects in time, the job fails.
 *
 * @returns the job's id
 * @throws NotFound if the check does not exist
 * @throws CreditLimitExceeded
 */
export const executeCheck =
  (dependencies: CommandDependencies) =>
  (checkId: string, context: CommandContext): Promise<string> =>
    queueRun(dependencies, checkId, context, async () => {
      const { type, settings } = existing(await dependencies.handle.load(checkId, checkDecider, context));
      const { name, url, host, port, timeout, parameters } = settings;
      return { name, type, url, host, port, timeout, parameters };
    });

/**
 * Queues a run of a definition that belongs to no check. The definition is stored only with the job.
 *
 * @returns the job's id
 * @throws Invalid if the definition lacks a required field
 * @throws IllegalState if no live runner can run the definition
 * @throws CreditLimitExceeded
 */
export const executeDefinition =
  (dependencies: CommandDependencies) =>
  (definition: JobDefinition, context: CommandContext): Promise<string> =>
    queueRun(dependencies, null, context, async (jobId) => {
      const { type, parameters } = definition;
      requireComplete(type, definition);
      await requireRunnable(type, parameters, dependencies.runners, context.organizationId);
      const owner = { organizationId: context.organizationId, key: jobKey(jobId), type };
      const sealed = await sealParameters(dependencies.keys, owner, parameters);
      return { ...withOneTarget(type, definition), parameters: sealed };
    });

/** Queues an on-demand run if the organization can pay for it. @returns the job's id @throws CreditLimitExceeded */
const queueRun = async (
  { handle, credits }: CommandDependencies,
  checkId: string | null,
  context: CommandContext,
  definitionOf: (jobId: string) => Promise<JobDefinition>,
): Promise<string> => {
  const id = context.newId();
  const { actor, organizationId } = context;
  const userId = actor.kind === 'user' ? actor.id : null;
  await handle(
    id,
    jobDecider,
    async (job) => {
      const definition = await definitionOf(id);
      if (!credits.canPay(organizationId, costOf(definition))) throw new CreditLimitExceeded();
      return queueJob(job, { id, organizationId, checkId, definition, userId });
    },
    context,
  );
  return id;
};
