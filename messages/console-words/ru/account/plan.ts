import { plurals } from '../../../words/plurals.ts';
import type { PlanWords } from '../../words/account/plan.ts';

const days = plurals('ru', { one: 'день', few: 'дня', many: 'дней', other: 'дня' });

export const plan: PlanWords = {
  credits: 'Кредиты за месяц',
  pages: 'Страницы статуса',
  unlimited: 'без ограничений',
  ofLimit: (limit) => `из ${limit}`,
  periodStart: 'Месяц с',
  periodEnd: 'Месяц до',
  shortestInterval: 'Наименьший интервал',
  anyInterval: 'любой',
  creditsText:
    'Результаты проверок расходуют кредиты, дорогие типы — больше. Когда они закончатся, проверки по расписанию остановятся до следующего месяца.',
  noSubscription: 'Подписки нет: действует тариф по умолчанию.',
  begun: 'Началась',
  ends: 'Закончится',
  autoRenew: 'Продлевать автоматически: счёт выставляется до окончания',
  renews: 'Продлевается автоматически.',
  doesNotRenew: 'Не продлевается автоматически.',
  plans: 'Тарифы',
  days: (count) => `на ${days(count)}`,
  current: 'Ваш тариф',
  order: 'Заказать',
  extend: 'Продлить',
  orderText: 'будет выставлен счёт. Тариф начнёт действовать после оплаты.',
  payments: 'Платежи и счета',
  noPayments: 'Платежей пока нет.',
  amount: 'Сумма',
  invoice: 'Счёт',
  statuses: {
    pending: 'Ожидает оплаты',
    succeeded: 'Оплачен',
    canceled: 'Отменён',
  },
  cancelPayment: 'Отменить платёж',
  cancelTitle: 'Отменить этот платёж?',
  cancelText: 'счёт станет недействительным.',
  history: 'Подписки',
  organization: 'Организация',
  detailsText: 'Эти данные указываются в счетах.',
  legalName: 'Полное наименование',
  taxId: 'ИНН',
  address: 'Адрес',
};
