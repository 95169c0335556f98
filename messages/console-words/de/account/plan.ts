import { plurals } from '../../../words/plurals.ts';
import type { PlanWords } from '../../words/account/plan.ts';

const days = plurals('de', { one: 'Tag', other: 'Tage' });

export const plan: PlanWords = {
  credits: 'Guthaben in diesem Monat',
  pages: 'Statusseiten',
  unlimited: 'unbegrenzt',
  ofLimit: (limit) => `von ${limit}`,
  periodStart: 'Monat ab',
  periodEnd: 'Monat bis',
  shortestInterval: 'Kürzester Abstand',
  anyInterval: 'beliebig',
  creditsText:
    'Ergebnisse von Prüfungen verbrauchen Guthaben, aufwendige Arten mehr. Ist es aufgebraucht, ruhen geplante Prüfungen bis zum nächsten Monat.',
  noSubscription: 'Es gibt kein Abonnement: Der Standardtarif gilt.',
  begun: 'Begonnen',
  ends: 'Endet',
  autoRenew: 'Automatisch verlängern: Vor dem Ende wird eine Rechnung erstellt',
  renews: 'Es wird automatisch verlängert.',
  doesNotRenew: 'Es wird nicht automatisch verlängert.',
  plans: 'Tarife',
  days: (count) => `für ${days(count)}`,
  current: 'Ihr Tarif',
  order: 'Bestellen',
  extend: 'Verlängern',
  orderText: 'es wird eine Rechnung erstellt. Der Tarif gilt, sobald sie bezahlt ist.',
  payments: 'Zahlungen und Rechnungen',
  noPayments: 'Es gibt noch keine Zahlungen.',
  amount: 'Betrag',
  invoice: 'Rechnung',
  statuses: {
    pending: 'Offen',
    succeeded: 'Bezahlt',
    canceled: 'Storniert',
  },
  cancelPayment: 'Zahlung stornieren',
  cancelTitle: 'Diese Zahlung stornieren?',
  cancelText: 'die Rechnung wird ungültig.',
  history: 'Abonnements',
  organization: 'Organisation',
  detailsText: 'Das steht auf Rechnungen.',
  legalName: 'Firmenname',
  taxId: 'Steuernummer',
  address: 'Anschrift',
};
