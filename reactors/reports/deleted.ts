import { artifactOf } from '../../domain/report/state.ts';
import { reports } from '../../projections/reports/projection.ts';
import { defineReactor } from '../engine/define.ts';
import { done } from '../engine/item-result.ts';
import { changed } from '../engine/list-declarations.ts';

export const DELETED_REPORTS = 'deleted-reports';

/** Removes the files of deleted reports. */
export const deletedReports = defineReactor({
  name: DELETED_REPORTS,
  does: 'removes the files of deleted reports',
  countsEarlier: true,
  list: changed(reports, 'deleted_reports'),
  act: async ({ id }, { artifacts }) => {
    await artifacts.remove(artifactOf(id));
    return done();
  },
});
