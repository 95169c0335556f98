import type { SavedViewsWords } from '../words/saved-views.ts';

export const savedViews: SavedViewsWords = {
  title: 'Ansichten',
  everything: 'Alles',
  none: 'Filtern Sie die Liste, und speichern Sie den Filter dann hier als Ansicht.',
  save: 'Diesen Filter speichern …',
  saveTitle: 'Filter als Ansicht speichern',
  manage: 'Ansichten verwalten …',
  manageTitle: 'Ansichten',
  byDefault: 'Standard',
  openWith: 'Liste mit dieser Ansicht öffnen',
  ofBrowser: 'Ansichten werden in diesem Browser gespeichert, nur für Sie.',
  deleted: 'Die Ansicht ist gelöscht.',
  problems: {
    empty: 'Geben Sie einen Namen ein.',
    taken: 'Eine andere Ansicht hat diesen Namen.',
    full: 'Es gibt schon 50 Ansichten. Löschen Sie zuerst eine.',
  },
};
