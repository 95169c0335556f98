import type { Handle } from '../../commands/engine/handle.ts';
import type { AnyProjection } from '../../projections/engine/fold/define.ts';
import type { Readers } from '../../projections/engine/readers.ts';
import type { Read } from '../../projections/readers.ts';
import { reports } from '../../projections/reports/projection.ts';
import { changeList, dueList, type TodoProjection } from '../../reactors/engine/lists.ts';
import type { Reactor } from '../../reactors/engine/loop.ts';
import { deletedReportsReactor } from '../../reactors/reports/deleted.ts';
import { reportMakingsReactor, type ReportMakingsDependencies } from '../../reactors/reports/makings.ts';
import { reportSchedulesReactor } from '../../reactors/reports/schedules.ts';
import { reportFile } from '../threads/report-files.ts';

export interface ReportsOptions extends Pick<ReportMakingsDependencies, 'artifacts' | 'clock'> {
  handle: Handle;
  readers: Pick<Readers, 'for'>;
  read: Read;
  todo: (projection: AnyProjection) => TodoProjection;
}

/** What happens to reports by itself. */
export const reportReactors = ({ handle, artifacts, readers, read, todo, clock }: ReportsOptions): Reactor[] => [
  reportMakingsReactor({
    handle,
    read,
    artifacts,
    clock,
    render: reportFile,
    todo: todo(reports),
    list: ({ appended }) => dueList(readers.for({ appended })(reports).report_makings),
  }),
  reportSchedulesReactor({
    handle,
    todo: todo(reports),
    list: ({ appended }) => dueList(readers.for({ appended })(reports).report_turns),
  }),
  deletedReportsReactor({ artifacts, todo: todo(reports), list: changeList(read(reports).deleted_reports) }),
];
