import { plurals } from '../../../words/plurals.ts';
import type { PlanWords } from '../../words/account/plan.ts';

const days = plurals('fr', { one: 'jour', other: 'jours' });

export const plan: PlanWords = {
  credits: 'Crédits ce mois-ci',
  pages: 'Pages de statut',
  unlimited: 'illimité',
  ofLimit: (limit) => `sur ${limit}`,
  periodStart: 'Mois du',
  periodEnd: 'Mois jusqu’au',
  shortestInterval: 'Intervalle minimal',
  anyInterval: 'libre',
  creditsText:
    'Les résultats des vérifications consomment des crédits, davantage pour les types coûteux. Une fois épuisés, les vérifications planifiées s’arrêtent jusqu’au mois suivant.',
  noSubscription: 'Il n’y a pas d’abonnement : l’offre par défaut s’applique.',
  begun: 'Début',
  ends: 'Fin',
  autoRenew: 'Renouveler automatiquement : une facture est établie avant la fin',
  renews: 'Il est renouvelé automatiquement.',
  doesNotRenew: 'Il n’est pas renouvelé automatiquement.',
  plans: 'Offres',
  days: (count) => `pour ${days(count)}`,
  current: 'Votre offre',
  order: 'Commander',
  extend: 'Prolonger',
  orderText: 'une facture est établie. L’offre s’applique une fois payée.',
  payments: 'Paiements et factures',
  noPayments: 'Il n’y a encore aucun paiement.',
  amount: 'Montant',
  invoice: 'Facture',
  statuses: {
    pending: 'En attente',
    succeeded: 'Payé',
    canceled: 'Annulé',
  },
  cancelPayment: 'Annuler le paiement',
  cancelTitle: 'Annuler ce paiement ?',
  cancelText: 'sa facture devient nulle.',
  history: 'Abonnements',
  organization: 'Organisation',
  detailsText: 'Elles figurent sur les factures.',
  legalName: 'Raison sociale',
  taxId: 'Numéro fiscal',
  address: 'Adresse postale',
};
