import { plurals } from '../../words/plurals.ts';
import type { PaletteWords } from '../words/palette.ts';

export const palette: PaletteWords = {
  title: 'Búsqueda y comandos',
  placeholder: 'Buscar comprobaciones, páginas, acciones …',
  groups: {
    recent: 'Abierto recientemente',
    screens: 'Pantallas',
    actions: 'Acciones',
    checks: 'Comprobaciones',
    heartbeats: 'Heartbeats',
    pages: 'Páginas de estado',
    more: 'Más',
  },
  newCheck: 'Nueva comprobación',
  newHeartbeat: 'Nuevo heartbeat',
  newIncident: 'Nuevo incidente',
  choice: (preference, option) => `${preference}: ${option}`,
  inList: (text) => `Filtrar las comprobaciones por «${text}»`,
  choosePage: '¿En qué página aparece el incidente?',
  noPages: 'Todavía no hay una página de estado en la que publicar un incidente.',
  searching: 'Buscando …',
  results: plurals('es', { one: 'resultado', other: 'resultados' }),
  nothing: 'No se encontró nada.',
};
