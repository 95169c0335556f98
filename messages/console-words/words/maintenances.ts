/** Texts of the maintenance calendar. */
export interface MaintenanceWords {
  /** label of the calendar, for screen readers */
  calendar: string;
  count: (count: number) => string;
  today: string;
  groups: Readonly<Record<'running' | 'scheduled' | 'completed', string>>;
  none: string;
  noneOnDay: string;
}
