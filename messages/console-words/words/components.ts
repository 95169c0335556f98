import type { ExclusionRule } from '../../../domain/uptime/exclusion-rules.ts';
/** Texts of the components of a status page. */
export interface ComponentsWords {
  none: string;
  noneText: string;
  addComponent: string;
  addGroup: string;
  /** explains what a click on a status does */
  statusText: string;
  statuses: Readonly<
    Record<'operational' | 'under_maintenance' | 'degraded_performance' | 'partial_outage' | 'major_outage', string>
  >;
  status: string;
  /** `Checkout: Major outage` */
  statusSet: (name: string, status: string) => string;
  /** label of the button that moves a component */
  move: string;
  moveHint: string;
  moveUp: string;
  moveDown: string;
  /** announces the new position to screen readers after a move */
  moved: (name: string, place: number, count: number, group: string | null) => string;
  emptyGroup: string;
  newComponent: string;
  newGroup: string;
  editComponent: string;
  editGroup: string;
  descriptionHint: string;
  group: string;
  noGroup: string;
  startDate: string;
  startDateHint: string;
  showcase: string;
  showcaseHint: string;
  onlyIfDegraded: string;
  onlyIfDegradedHint: string;
  watch: string;
  watchHint: string;
  watchedBy: { none: string; check: string; tag: string };
  check: string;
  findCheck: string;
  chooseCheck: string;
  noCheckFound: string;
  tag: string;
  tagHint: string;
  responseTimes: string;
  responseTimesHint: string;
  deleteComponent: string;
  deleteComponentText: string;
  deleteGroup: string;
  deleteGroupText: string;
  deleted: (name: string) => string;
  /** the uptime of a component, with the intervals that it is computed from */
  uptime: {
    title: string;
    /** @param percentage `99.71 %` */
    figure: (percentage: string) => string;
    from: string;
    duration: string;
    status: string;
    setBy: string;
    sources: Readonly<Record<'incident' | 'edit' | 'creation' | 'alert', string>>;
    /** by rule, why time is not counted */
    excluded: Readonly<Record<ExclusionRule, string>>;
    olderIntervals: string;
  };
  /** notes next to a component */
  notes: { uptimeHidden: string; onlyIfDegraded: string; responseTimes: string; check: string; tag: string };
}
