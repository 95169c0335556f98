import type { SavedViewsWords } from '../words/saved-views.ts';

export const savedViews: SavedViewsWords = {
  title: 'Vues',
  everything: 'Tout',
  none: 'Filtrez la liste, puis enregistrez le filtre ici comme vue.',
  save: 'Enregistrer ce filtre …',
  saveTitle: 'Enregistrer le filtre comme vue',
  manage: 'Gérer les vues …',
  manageTitle: 'Vues',
  byDefault: 'Par défaut',
  openWith: 'Ouvrir la liste avec cette vue',
  ofBrowser: 'Les vues sont conservées dans ce navigateur, pour vous seul.',
  deleted: 'La vue est supprimée.',
  problems: {
    empty: 'Saisissez un nom.',
    taken: 'Une autre vue porte ce nom.',
    full: 'Il y a déjà 50 vues. Supprimez-en une d’abord.',
  },
};
