import { plurals } from '../../words/plurals.ts';
import type { MaintenanceWords } from '../words/maintenances.ts';

export const maintenances: MaintenanceWords = {
  calendar: 'Kalender der Wartungen',
  today: 'Heute',
  none: 'Keine Wartung ist geplant.',
  noneOnDay: 'An diesem Tag gibt es keine Wartung.',
  count: plurals('de', { one: 'Wartung', other: 'Wartungen' }),
  groups: { running: 'Im Gange', scheduled: 'Geplant', completed: 'Abgeschlossen' },
};
