import { plurals } from '../../words/plurals.ts';
import type { MaintenanceWords } from '../words/maintenances.ts';

export const maintenances: MaintenanceWords = {
  calendar: 'Calendario de mantenimientos',
  today: 'Hoy',
  none: 'No hay mantenimientos previstos.',
  noneOnDay: 'No hay mantenimientos este día.',
  count: plurals('es', { one: 'mantenimiento', other: 'mantenimientos' }),
  groups: { running: 'En marcha', scheduled: 'Previstos', completed: 'Completados' },
};
