import { plurals } from '../../../words/plurals.ts';
import type { PlanWords } from '../../words/account/plan.ts';

const days = plurals('es', { one: 'día', other: 'días' });

export const plan: PlanWords = {
  credits: 'Créditos de este mes',
  pages: 'Páginas de estado',
  unlimited: 'sin límite',
  ofLimit: (limit) => `de ${limit}`,
  periodStart: 'Mes desde',
  periodEnd: 'Mes hasta',
  shortestInterval: 'Intervalo mínimo',
  anyInterval: 'cualquiera',
  creditsText:
    'Los resultados de las comprobaciones consumen créditos; los tipos más costosos, más. Si se agotan, las comprobaciones programadas se detienen hasta el mes siguiente.',
  noSubscription: 'No hay suscripción: se aplica el plan predeterminado.',
  begun: 'Comenzó',
  ends: 'Termina',
  autoRenew: 'Renovar automáticamente: se emite una factura antes de que termine',
  renews: 'Se renueva automáticamente.',
  doesNotRenew: 'No se renueva automáticamente.',
  plans: 'Planes',
  days: (count) => `por ${days(count)}`,
  current: 'Su plan',
  order: 'Contratar',
  extend: 'Prolongar',
  orderText: 'se emitirá una factura. El plan se aplica cuando esté pagada.',
  payments: 'Pagos y facturas',
  noPayments: 'Todavía no hay pagos.',
  amount: 'Importe',
  invoice: 'Factura',
  statuses: {
    pending: 'Pendiente',
    succeeded: 'Pagado',
    canceled: 'Cancelado',
  },
  cancelPayment: 'Cancelar pago',
  cancelTitle: '¿Cancelar este pago?',
  cancelText: 'su factura quedará anulada.',
  history: 'Suscripciones',
  organization: 'Organización',
  detailsText: 'Aparecen en las facturas.',
  legalName: 'Razón social',
  taxId: 'Número fiscal',
  address: 'Dirección',
};
