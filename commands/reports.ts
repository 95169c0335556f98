import * as decide from '../domain/report/decide.ts';
import type { ReportFields, ReportSummary } from '../domain/report/events.ts';
import { RECIPIENTS, reportDecider, reportKey, type Report } from '../domain/report/state.ts';
import { distinctAddresses } from '../domain/mail/address.ts';
import { isExisting } from '../domain/existence.ts';
import type { CommandContext } from './engine/context.ts';
import { stepContext } from './engine/context.ts';
import type { CommandDependencies } from './dependencies.ts';

type Handling = Pick<CommandDependencies, 'handle'>;

/**
 * Requests a report.
 *
 * @param recipients e-mail addresses; duplicates that differ only in case are dropped
 * @returns its id
 */
export const requestReport =
  ({ handle, keys }: Pick<CommandDependencies, 'handle' | 'keys'>) =>
  async (report: ReportFields, recipients: readonly string[], context: CommandContext): Promise<string> => {
    const { organizationId, actor, now } = context;
    const id = context.newId();
    const sealed = await Promise.all(
      distinctAddresses(recipients).map((address) =>
        keys.seal(reportKey(id), address, { organizationId, field: RECIPIENTS }),
      ),
    );
    const request: decide.ReportRequest = {
      id,
      organization_id: organizationId,
      report,
      recipients: sealed,
      created_by: actor.kind === 'system' ? null : actor.id,
      scheduled_by: null,
    };
    await handle(id, reportDecider, (state) => decide.requestReport(state, request, now), context);
    return id;
  };

/** Requests the report that is due by a template's schedule. @returns the scheduled run, or null if none is due */
export const repeatReport =
  ({ handle }: Handling) =>
  async (id: string, context: CommandContext): Promise<decide.ScheduledRun | null> => {
    const { organizationId, now } = context;
    const template = await handle.load(id, reportDecider, context);
    const due = decide.dueRun(template, now);
    if (!due || !isExisting(template)) return null;
    const request: decide.ReportRequest = {
      id: due.run_id,
      organization_id: organizationId,
      report: decide.scheduledReportOf(template.report, due),
      recipients: template.recipients,
      created_by: null,
      scheduled_by: id,
    };
    // Request the report before recording the run. If the process dies in between, the command is repeated, and then
    // finds that the report was already requested.
    await handle(
      due.run_id,
      reportDecider,
      (state) => (state.status === 'absent' ? decide.requestReport(state, request, now) : []),
      stepContext(context, 'run'),
    );
    await handle(id, reportDecider, (state) => decide.repeatReport(state, due, now), context);
    return due;
  };

/** Records that the file of a report is stored. @throws NotFound if the report was deleted */
export const completeReport =
  ({ handle }: Handling) =>
  async (
    id: string,
    made: { artifact_id: string; size: number; summary: ReportSummary },
    context: CommandContext,
  ): Promise<void> => {
    await handle(id, reportDecider, (state) => decide.completeReport(state, made, context.now), context);
  };

/** Records that a report can't be generated. @param reason a sentence @throws NotFound if the report was deleted */
export const failReport =
  ({ handle }: Handling) =>
  async (id: string, reason: string, context: CommandContext): Promise<void> => {
    await handle(id, reportDecider, (state) => decide.failReport(state, reason, context.now), context);
  };

/** Deletes a report. Reactors then delete its file and the key of its recipients. @throws NotFound */
export const deleteReport =
  ({ handle }: Handling) =>
  async (id: string, context: CommandContext): Promise<void> => {
    await handle(id, reportDecider, (state) => decide.deleteReport(state, context.now), context);
  };

/** Loads a report from its stream. @throws NotFound if the report belongs to another organization */
export const loadReport =
  ({ handle }: Handling) =>
  (id: string, context: Pick<CommandContext, 'organizationId'>): Promise<Report> =>
    handle.load(id, reportDecider, context);
