import { repeatReport } from '../../commands/reports.ts';
import { derivedUuid, reactorContext } from '../../commands/engine/context.ts';
import type { CommandDependencies } from '../../commands/dependencies.ts';
import type { Noted } from '../../commands/engine/appended.ts';
import { LONGEST_TURN_MS } from '../../domain/report/schedule.ts';
import { millisecondsOf } from '../../domain/time.ts';
import type { ReportTaskDocument } from '../../projections/reports/projection.ts';
import { dueWork, type DueContext } from '../engine/due.ts';
import { againAt, done, type Ending } from '../engine/ending.ts';
import type { DueList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';

export const REPORT_SCHEDULES = 'report-schedules';

/** Many begin at the same midnight, and their commands share commits. */
const AT_ONCE = 16;
/** A schedule that has nothing new, since the clock was set back or the list is late. */
const A_WHILE_MS = 60_000;

export interface ReportSchedulesDependencies extends Pick<CommandDependencies, 'handle'> {
  todo: TodoProjection;
  list: (context: { appended: Noted }) => DueList<ReportTaskDocument>;
}

/**
 * Asks for the reports of schedules when a week or a month has ended. What was missed while the service was down is
 * made up for by one report, about the last of those weeks or months.
 */
export const reportSchedulesReactor = ({ todo, list, handle }: ReportSchedulesDependencies): Reactor => ({
  name: REPORT_SCHEDULES,
  countsEarlier: true,
  todo,
  work: dueWork(REPORT_SCHEDULES, todo, list, repeat({ handle }), { longest: LONGEST_TURN_MS, atOnce: AT_ONCE }),
});

const repeat =
  ({ handle }: Pick<CommandDependencies, 'handle'>) =>
  async (item: ReportTaskDocument, { now, appended }: DueContext): Promise<Ending> => {
    const { id, organization_id: organizationId, changed_position } = item;
    const commandId = derivedUuid(`${REPORT_SCHEDULES}/${id}/${changed_position.toString()}`);
    const context = reactorContext(REPORT_SCHEDULES, { organizationId, commandId, now, appended });
    const turn = await repeatReport({ handle })(id, context);
    return turn ? done() : againAt(millisecondsOf(now) + A_WHILE_MS);
  };
