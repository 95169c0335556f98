/** Texts of the plan and usage screens. */
export interface PlanWords {
  credits: string;
  pages: string;
  unlimited: string;
  ofLimit: (limit: string) => string;
  periodStart: string;
  periodEnd: string;
  shortestInterval: string;
  anyInterval: string;
  creditsText: string;
  noSubscription: string;
  begun: string;
  ends: string;
  autoRenew: string;
  renews: string;
  doesNotRenew: string;
  plans: string;
  days: (count: number) => string;
  current: string;
  order: string;
  extend: string;
  orderText: string;
  payments: string;
  noPayments: string;
  amount: string;
  invoice: string;
  statuses: {
    pending: string;
    succeeded: string;
    canceled: string;
  };
  cancelPayment: string;
  cancelTitle: string;
  cancelText: string;
  history: string;
  organization: string;
  detailsText: string;
  legalName: string;
  taxId: string;
  address: string;
}
