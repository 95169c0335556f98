import { plurals } from '../../words/plurals.ts';
import type { MaintenanceWords } from '../words/maintenances.ts';

export const maintenances: MaintenanceWords = {
  calendar: 'Календарь работ',
  today: 'Сегодня',
  none: 'Работ не запланировано.',
  noneOnDay: 'В этот день работ нет.',
  count: plurals('ru', {
    one: 'запись о работах',
    few: 'записи о работах',
    many: 'записей о работах',
    other: 'записи о работах',
  }),
  groups: { running: 'Идут', scheduled: 'Запланированы', completed: 'Завершены' },
};
