import { artifactOf } from '../../domain/report/state.ts';
import type { DeletedReportDocument } from '../../projections/reports/projection.ts';
import type { Artifacts } from '../../stores/artifacts/port.ts';
import { changeWork } from '../engine/changes.ts';
import { done, type Ending } from '../engine/ending.ts';
import type { ChangeList, TodoProjection } from '../engine/lists.ts';
import type { Reactor } from '../engine/loop.ts';

export const DELETED_REPORTS = 'deleted-reports';

export interface DeletedReportsDependencies {
  todo: TodoProjection;
  list: ChangeList<DeletedReportDocument>;
  artifacts: Pick<Artifacts, 'remove'>;
}

/** Removes the files of deleted reports. */
export const deletedReportsReactor = ({ todo, list, ...dependencies }: DeletedReportsDependencies): Reactor => ({
  name: DELETED_REPORTS,
  countsEarlier: true,
  todo,
  work: changeWork(DELETED_REPORTS, todo, list, remove(dependencies)),
});

const remove =
  ({ artifacts }: Pick<DeletedReportsDependencies, 'artifacts'>) =>
  async ({ id }: DeletedReportDocument): Promise<Ending> => {
    await artifacts.remove(artifactOf(id));
    return done();
  };
