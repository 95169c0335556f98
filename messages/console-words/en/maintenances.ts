import { plurals } from '../../words/plurals.ts';
import type { MaintenanceWords } from '../words/maintenances.ts';

export const maintenances: MaintenanceWords = {
  calendar: 'Calendar of maintenances',
  today: 'Today',
  none: 'No maintenance is planned.',
  noneOnDay: 'There is no maintenance on this day.',
  count: plurals('en', { one: 'maintenance', other: 'maintenances' }),
  groups: { running: 'Under way', scheduled: 'Planned', completed: 'Completed' },
};
