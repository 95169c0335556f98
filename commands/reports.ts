import * as decide from '../domain/report/decide.ts';
import type { ReportFields, ReportSummary } from '../domain/report/events.ts';
import { RECIPIENTS, reportDecider, reportKey, type Report } from '../domain/report/state.ts';
import { distinctAddresses } from '../domain/mail/address.ts';
import { isThere } from '../domain/lifecycle.ts';
import type { CommandContext } from './engine/context.ts';
import { step } from './engine/context.ts';
import type { CommandDependencies } from './dependencies.ts';

type Handling = Pick<CommandDependencies, 'handle'>;

/** Asks for a report. @param recipients e-mail addresses; those that differ only in case are one @returns its id */
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
    const asking: decide.Asking = {
      id,
      organization_id: organizationId,
      report,
      recipients: sealed,
      created_by: actor.kind === 'system' ? null : actor.id,
      scheduled_by: null,
    };
    await handle(id, reportDecider, (state) => decide.requestReport(state, asking, now), context);
    return id;
  };

/** Asks for the report that a template's schedule makes now. @returns the turn; null: there is none now */
export const repeatReport =
  ({ handle }: Handling) =>
  async (id: string, context: CommandContext): Promise<decide.Turn | null> => {
    const { organizationId, now } = context;
    const template = await handle.load(id, reportDecider, context);
    const turn = decide.nextTurn(template, now);
    if (!turn || !isThere(template)) return null;
    const asking: decide.Asking = {
      id: turn.run_id,
      organization_id: organizationId,
      report: decide.runOf(template.report, turn),
      recipients: template.recipients,
      created_by: null,
      scheduled_by: id,
    };
    // The report comes first: if the process dies in between, the same turn finds it asked for.
    await handle(
      turn.run_id,
      reportDecider,
      (state) => (state.status === 'absent' ? decide.requestReport(state, asking, now) : []),
      step(context, 'run'),
    );
    await handle(id, reportDecider, (state) => decide.repeatReport(state, turn, now), context);
    return turn;
  };

/** The file of a report is stored. @throws NotFound the report was deleted */
export const completeReport =
  ({ handle }: Handling) =>
  async (
    id: string,
    made: { artifact_id: string; size: number; summary: ReportSummary },
    context: CommandContext,
  ): Promise<void> => {
    await handle(id, reportDecider, (state) => decide.completeReport(state, made, context.now), context);
  };

/** A report can't be made. @param reason a sentence @throws NotFound the report was deleted */
export const failReport =
  ({ handle }: Handling) =>
  async (id: string, reason: string, context: CommandContext): Promise<void> => {
    await handle(id, reportDecider, (state) => decide.failReport(state, reason, context.now), context);
  };

/** Deletes a report; its file and its recipients' key go soon after (reactors/). @throws NotFound */
export const deleteReport =
  ({ handle }: Handling) =>
  async (id: string, context: CommandContext): Promise<void> => {
    await handle(id, reportDecider, (state) => decide.deleteReport(state, context.now), context);
  };

/** A report as its events have it. @throws NotFound it is another organization's */
export const loadReport =
  ({ handle }: Handling) =>
  (id: string, context: Pick<CommandContext, 'organizationId'>): Promise<Report> =>
    handle.load(id, reportDecider, context);
