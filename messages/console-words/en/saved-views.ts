import type { SavedViewsWords } from '../words/saved-views.ts';

export const savedViews: SavedViewsWords = {
  title: 'Views',
  everything: 'Everything',
  none: 'Filter the list, then save the filter as a view here.',
  save: 'Save this filter …',
  saveTitle: 'Save the filter as a view',
  manage: 'Manage views …',
  manageTitle: 'Views',
  byDefault: 'Default',
  openWith: 'Open the list with this view',
  ofBrowser: 'Views are stored in this browser, for you only.',
  deleted: 'The view was deleted.',
  problems: {
    empty: 'Enter a name.',
    taken: 'Another view has this name.',
    full: 'You already have 50 views. Delete one first.',
  },
};
