import { plurals } from '../../words/plurals.ts';
import type { GroupWords } from '../words/groups.ts';

export const groups: GroupWords = {
  new: 'Nuevo grupo',
  empty: 'Todavía no hay grupos',
  emptyText:
    'Un grupo reúne comprobaciones relacionadas, como las de un servicio. Muestra su estado y puede pausarlas a la vez.',
  checks: plurals('es', { one: 'comprobación', other: 'comprobaciones' }),
  ungrouped: 'Comprobaciones sin grupo',
  pausedGroup: 'grupo en pausa',
  moveUp: 'Subir',
  moveDown: 'Bajar',
  drag: 'Arrastrar a otro lugar',
  moved: (name, place, count) => `${name}: lugar ${place} de ${count}`,
  color: 'Color del grupo',
  noColor: 'Sin color',
  otherColor: 'Código de color',
  active: 'Las comprobaciones de este grupo se ejecutan',
  activeHint: 'Si no, ninguna se ejecuta por sí sola.',
  deleteTitle: '¿Eliminar el grupo?',
  deleteText: (checks) => `El grupo contiene ${checks}, que se conservan y quedan sin grupo.`,
};
