import type { TemplateWords } from '../words/templates.ts';

export const templates: TemplateWords = {
  new: 'Neue Vorlage',
  name: 'Name der Vorlage',
  nameHint: 'Ihn sieht nur Ihr Team.',
  kind: 'Für',
  allPages: 'Alle Statusseiten',
  leftOpen: 'Bleibt offen',
  none: 'Es gibt noch keine Vorlagen. Speichern Sie, was Sie immer wieder schreiben, und beginnen Sie das nächste Mal damit.',
  deleteTitle: 'Diese Vorlage löschen?',
  kinds: { incident: 'Störung', maintenance: 'Wartung' },
  useOn: (page) => `Auf ${page} verwenden`,
};
