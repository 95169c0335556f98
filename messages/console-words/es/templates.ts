import type { TemplateWords } from '../words/templates.ts';

export const templates: TemplateWords = {
  new: 'Nueva plantilla',
  name: 'Nombre de la plantilla',
  nameHint: 'Solo lo ve su equipo.',
  kind: 'Para',
  allPages: 'Todas las páginas de estado',
  leftOpen: 'Lo elige quien escribe',
  none: 'Aún no hay plantillas. Guarde lo que escribe una y otra vez y empiece con ello la próxima vez.',
  deleteTitle: '¿Eliminar esta plantilla?',
  kinds: { incident: 'Incidente', maintenance: 'Mantenimiento' },
  useOn: (page) => `Usar en ${page}`,
};
