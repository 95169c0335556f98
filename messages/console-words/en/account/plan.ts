import { plurals } from '../../../words/plurals.ts';
import type { PlanWords } from '../../words/account/plan.ts';

const days = plurals('en', { one: 'day', other: 'days' });

export const plan: PlanWords = {
  credits: 'Credits this month',
  pages: 'Status pages',
  unlimited: 'unlimited',
  ofLimit: (limit) => `of ${limit}`,
  periodStart: 'Month from',
  periodEnd: 'Month until',
  shortestInterval: 'Shortest interval',
  anyInterval: 'any',
  creditsText:
    'Results of checks use credits: one each, and more for types that cost more. When they are used up, scheduled checks pause until the next month.',
  noSubscription: 'There is no subscription: the default plan applies.',
  begun: 'Began',
  ends: 'Ends',
  autoRenew: 'Renew automatically: an invoice is created before it ends',
  renews: 'It is renewed automatically.',
  doesNotRenew: 'It is not renewed automatically.',
  plans: 'Plans',
  days: (count) => `for ${days(count)}`,
  current: 'Your plan',
  order: 'Order',
  extend: 'Extend',
  orderText: 'an invoice is created. The plan takes effect once it is paid.',
  payments: 'Payments and invoices',
  noPayments: 'There are no payments yet.',
  amount: 'Amount',
  invoice: 'Invoice',
  statuses: {
    pending: 'Pending',
    succeeded: 'Paid',
    canceled: 'Canceled',
  },
  cancelPayment: 'Cancel payment',
  cancelTitle: 'Cancel this payment?',
  cancelText: 'its invoice becomes void.',
  history: 'Subscriptions',
  organization: 'Organization',
  detailsText: 'These details appear on invoices.',
  legalName: 'Legal name',
  taxId: 'Tax number',
  address: 'Address',
};
