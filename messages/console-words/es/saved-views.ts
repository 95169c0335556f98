import type { SavedViewsWords } from '../words/saved-views.ts';

export const savedViews: SavedViewsWords = {
  title: 'Vistas',
  everything: 'Todo',
  none: 'Filtre la lista y guarde aquí el filtro como vista.',
  save: 'Guardar este filtro …',
  saveTitle: 'Guardar el filtro como vista',
  manage: 'Gestionar vistas …',
  manageTitle: 'Vistas',
  byDefault: 'Predeterminada',
  openWith: 'Abrir la lista con esta vista',
  ofBrowser: 'Las vistas se guardan en este navegador, solo para usted.',
  deleted: 'La vista se ha eliminado.',
  problems: {
    empty: 'Introduzca un nombre.',
    taken: 'Otra vista tiene este nombre.',
    full: 'Ya hay 50 vistas. Elimine una primero.',
  },
};
