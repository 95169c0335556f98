import { plurals } from '../../words/plurals.ts';
import type { MaintenanceWords } from '../words/maintenances.ts';

export const maintenances: MaintenanceWords = {
  calendar: 'Calendrier des maintenances',
  today: 'Aujourd’hui',
  none: 'Aucune maintenance n’est prévue.',
  noneOnDay: 'Il n’y a pas de maintenance ce jour-là.',
  count: plurals('fr', { one: 'maintenance prévue', other: 'maintenances prévues' }),
  groups: { running: 'Commencées', scheduled: 'Prévues', completed: 'Terminées' },
};
