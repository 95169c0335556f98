import { plurals } from '../../words/plurals.ts';
import type { TagWords } from '../words/tags.ts';

const checks = plurals('es', { one: 'comprobación', other: 'comprobaciones' });
const heartbeats = plurals('es', { one: 'heartbeat', other: 'heartbeats' });

export const tags: TagWords = {
  tag: 'Etiqueta',
  filter: 'Filtrar etiquetas',
  matches: plurals('es', { one: 'etiqueta', other: 'etiquetas' }),
  noMatch: 'Ninguna etiqueta contiene este texto.',
  empty: 'Todavía no hay etiquetas',
  emptyText:
    'Las comprobaciones y los heartbeats reciben etiquetas donde se editan. Las reglas de alerta, los componentes y los informes pueden nombrar una etiqueta en lugar de una comprobación.',
  checks: 'Comprobaciones',
  failing: 'Caídas',
  heartbeats: 'Número de heartbeats',
  late: 'Atrasados',
  more: plurals('es', { one: 'etiqueta más: precise el filtro', other: 'etiquetas más: precise el filtro' }),
  rename: 'Cambiar nombre',
  newName: 'Nombre nuevo',
  rule: 'Solo minúsculas, cifras y . _ : -, 50 como máximo.',
  renameTitle: (tag) => `Cambiar el nombre de la etiqueta ${tag}`,
  renameText: 'Si ya existe una etiqueta con el nombre nuevo, las dos pasan a ser una.',
  removeTitle: (tag) => `¿Quitar la etiqueta ${tag} en todas partes?`,
  removeText: 'Esto no se puede deshacer.',
  affected: (ofChecks, ofHeartbeats) => `La tienen ${checks(ofChecks)} y ${heartbeats(ofHeartbeats)}.`,
  kept: 'Las reglas de alerta, los componentes y los informes que nombran la etiqueta no cambian.',
  rules: plurals('es', { one: 'regla de alerta la nombra', other: 'reglas de alerta la nombran' }),
};
