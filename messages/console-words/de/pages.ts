import { plurals } from '../../words/plurals.ts';
import type { PagesWords } from '../words/pages.ts';

const pagesOf = plurals('de', { one: 'Seite', other: 'Seiten' });

export const pages: PagesWords = {
  title: 'Statusseiten',
  newPage: 'Neue Seite',
  none: 'Noch keine Statusseite',
  noneText:
    'Eine Statusseite zeigt Ihren Nutzern, wie es um Ihre Dienste steht, und schickt ihnen Neuigkeiten. Ein Name genügt für den Anfang.',
  page: 'Seite',
  address: 'Adresse',
  visibleTo: 'Sichtbar für',
  visibility: {
    public: 'Alle',
    team: 'Teammitglieder',
    addresses: 'Bestimmte Adressen',
    hidden: 'nicht in Suchmaschinen',
  },
  updates: 'Meldungen in 30 Tagen',
  openPage: 'Seite öffnen',
  used: (used, limit) => `${used} von ${pagesOf(limit)}, die Ihr Tarif erlaubt`,
  limitReached: (limit) =>
    `Ihr Tarif erlaubt ${pagesOf(limit)}. Löschen Sie eine, oder wählen Sie einen größeren Tarif.`,
  nameHint: 'Ihre Firma oder Ihr Produkt, wie Besucher es kennen.',
  subdomain: 'Subdomain',
  subdomainHint:
    'Teil der Adresse: 2 bis 63 Buchstaben, Ziffern und Bindestriche. Bleibt sie leer, wird sie aus dem Namen gebildet.',
  template: 'Vorlage',
  templates: {
    default: {
      name: 'Standard',
      text: 'Komponenten mit Balken ihrer Tage und Verfügbarkeit, Störungen, die letzten sieben Tage.',
    },
    compact: {
      name: 'Kompakt',
      text: 'Für viele Komponenten: je eine Zeile, in Spalten; Gruppen sind zu, wenn nichts gestört ist.',
    },
    minimal: {
      name: 'Minimal',
      text: 'Zustand, Störungen und Komponenten mit Namen. Vergangenes steht im Verlauf.',
    },
  },
  tabs: {
    components: 'Komponenten',
    appearance: 'Aussehen',
    settings: 'Einstellungen',
    domain: 'Domain',
    email: 'E-Mail',
    passwords: 'Passwörter',
    subscribers: 'Abonnenten',
  },
  newIncident: 'Neue Störung',
  parts: 'Teile der Seite',
  deleteTitle: 'Seite löschen?',
  deleteText: 'Ihre Komponenten, Störungen und Abonnenten werden mit ihr gelöscht. Ihre Adresse wird für andere frei.',
};
