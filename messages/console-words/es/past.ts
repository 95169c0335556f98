import type { PastWords } from '../words/past.ts';

export const past: PastWords = {
  asItWas: 'Estado anterior',
  text: 'Elija un momento o mueva el control hasta un cambio.',
  stateOf: (moment) => `Está viendo el estado del ${moment}.`,
  readOnly: 'Aquí no se puede cambiar nada, y la pantalla no muestra los cambios nuevos.',
  backToNow: 'Volver al presente',
  moment: 'Momento',
  show: 'Mostrar',
  change: 'Cambio',
  previous: 'Cambio anterior',
  next: 'Cambio siguiente',
  changeOf: (number, count, moment) => `Cambio ${number} de ${count}: ${moment}`,
  beforeFirst: 'Antes del primer cambio',
  now: 'Ahora',
  truncated: (count) =>
    `El control contiene los ${count} cambios más recientes. Los momentos anteriores se pueden escribir.`,
  noMoment: 'Esto no es un momento.',
  future: 'Este momento está en el futuro.',
  notYetTitle: 'Todavía no existía',
  notYet: (first) => `No existía en este momento. Su primer cambio fue el ${first}.`,
  showFirst: 'Mostrar el primer estado',
  notKnown: 'desconocido',
  noPast: 'No hay estados anteriores de esta parte.',
};
