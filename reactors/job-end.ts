import { PARKED } from '../domain/check/parking.ts';
import { checkDecider, isLive } from '../domain/check/state.ts';
import { failJob } from '../domain/job/decide.ts';
import type { JobEvent } from '../domain/job/events.ts';
import { CHECK_DELETED } from '../domain/job/run.ts';
import { isOpen, jobDecider, type Job, type OpenJob } from '../domain/job/state.ts';
import type { Instant } from '../domain/time.ts';
import type { Appended } from '../commands/engine/appended-positions.ts';
import { derivedUuid, reactorContext, type CommandContext } from '../commands/engine/context.ts';
import type { CommandDependencies } from '../commands/dependencies.ts';
import type { Outcome } from '../commands/engine/handle.ts';

type Dependencies = Pick<CommandDependencies, 'handle'>;

/** Identifies a job and its organization. */
export interface JobReference {
  id: string;
  organization_id: string;
}

/**
 * Creates the context for a reactor's command on a job. The actor is the reactor.
 *
 * @param what the step, for example `offer`. It is part of the command id, so that a repeated step changes nothing
 */
export const jobContext = (
  reactor: string,
  what: string,
  { id, organization_id }: JobReference,
  { now, appended }: { now: Instant; appended?: Appended },
): CommandContext =>
  reactorContext(reactor, {
    organizationId: organization_id,
    correlationId: id,
    commandId: derivedUuid(`${reactor}/${id}/${what}`),
    now,
    ...(appended && { appended }),
  });

/** Returns whether the check of a job was deleted. False for a job without a check. */
export const isCheckDeleted = async (
  { handle }: Dependencies,
  checkId: string | null,
  context: Pick<CommandContext, 'organizationId'>,
): Promise<boolean> => checkId !== null && (await handle.load(checkId, checkDecider, context)).status === 'deleted';

/** Returns why a job cannot run in the present state of its check, as a sentence. Null if it can run. */
export const whyNotRunnable = async (
  { handle }: Dependencies,
  checkId: string | null,
  context: Pick<CommandContext, 'organizationId'>,
): Promise<string | null> => {
  if (checkId === null) return null;
  const check = await handle.load(checkId, checkDecider, context);
  if (check.status === 'deleted') return CHECK_DELETED;
  return isLive(check) && check.parked ? PARKED : null;
};

/**
 * Ends a job with the events that `end` returns. If the check of the job was deleted, the job fails instead, because
 * its results are no longer shown. Does nothing if the job does not exist or has an outcome.
 *
 * @throws NotFound if the job belongs to another organization
 */
export const endJob = (
  dependencies: Dependencies,
  id: string,
  end: (job: OpenJob) => JobEvent[],
  context: CommandContext,
): Promise<Outcome<Job, JobEvent>> =>
  dependencies.handle(
    id,
    jobDecider,
    async (job) => {
      if (!isOpen(job)) return [];
      return (await isCheckDeleted(dependencies, job.checkId, context)) ? failJob(job, CHECK_DELETED) : end(job);
    },
    context,
  );
