/** Words of the calendar of maintenances. */
export interface MaintenanceWords {
  /** of the calendar, for screen readers */
  calendar: string;
  count: (count: number) => string;
  today: string;
  groups: Readonly<Record<'running' | 'scheduled' | 'completed', string>>;
  none: string;
  noneOnDay: string;
}
