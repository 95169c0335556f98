import { plurals } from './plurals.ts';
import type { Words } from './words.ts';

const components = plurals('ru', { one: 'компонент', few: 'компонента', many: 'компонентов', other: 'компонента' });

export const ru: Words = {
  language: 'ru',
  colon: ': ',
  incidentStatus: {
    investigating: 'Выясняем причину',
    identified: 'Причина найдена',
    monitoring: 'Наблюдаем',
    resolved: 'Решено',
    scheduled: 'Запланировано',
    in_progress: 'Выполняется',
    verifying: 'Проверяем',
    completed: 'Завершено',
  },
  componentStatus: {
    operational: 'Работает',
    under_maintenance: 'На обслуживании',
    degraded_performance: 'Работает медленно',
    partial_outage: 'Частичный сбой',
    major_outage: 'Серьёзный сбой',
  },
  impact: {
    none: 'Нет',
    maintenance: 'Обслуживание',
    minor: 'Незначительное',
    major: 'Серьёзное',
    critical: 'Критическое',
  },
  pageStatus: {
    none: 'Все системы работают',
    maintenance: 'Идут технические работы',
    minor: 'Некоторые системы работают медленно',
    major: 'Частичный сбой систем',
    critical: 'Серьёзный сбой систем',
  },
  happened: {
    'incident.created': 'Новый инцидент',
    'incident.updated': 'Новости об инциденте',
    'incident.resolved': 'Инцидент решён',
    'maintenance.scheduled': 'Плановые работы',
    'maintenance.updated': 'Новости о работах',
    'maintenance.reminder': 'Напоминание о работах',
    'maintenance.started': 'Работы начались',
    'maintenance.completed': 'Работы завершены',
    'postmortem.published': 'Разбор инцидента',
    'component.status_changed': 'Состояние компонента',
  },
  sentence: {
    'incident.created': 'Сообщаем о новом инциденте.',
    'incident.updated': 'Есть новости об этом инциденте.',
    'incident.resolved': 'Этот инцидент решён.',
    'maintenance.scheduled': 'Запланированы технические работы.',
    'maintenance.updated': 'Есть новости об этих работах.',
    'maintenance.reminder': 'Напоминаем, что скоро начнутся плановые технические работы.',
    'maintenance.started': 'Плановые технические работы начались.',
    'maintenance.completed': 'Плановые технические работы завершены.',
    'postmortem.published': 'Опубликован разбор этого инцидента.',
    'component.status_changed': 'Состояние компонента изменилось.',
  },
  times: {
    moment: (day, clock, zone) => `${day}, ${clock} ${zone}`,
    span: (day, from, until, zone) => `${day}, ${from} – ${until} ${zone}`,
  },
  mail: {
    status: 'Статус',
    impact: 'Влияние',
    scheduled: 'Время работ',
    components: 'Затронутые компоненты',
    more: (count) => `и ещё ${components(count)}`,
    viewPage: 'Открыть страницу статуса',
    support: 'Связаться с поддержкой',
    cut: 'Текст сокращён.',
    readOn: 'Текст сокращён. Полностью он есть на странице статуса:',
    why: (page) => `Вы получили это письмо, потому что подписаны на уведомления ${page}.`,
    unsubscribe: 'Отменить подписку',
    manage: 'Изменить подписку',
  },
  sms: {
    unsubscribe: 'Отписаться:',
    confirm: (page) => `Подтвердите подписку на уведомления ${page}:`,
  },
  confirmation: {
    subject: (page) => `Подтвердите подписку на ${page}`,
    title: 'Подтвердите подписку',
    sentence: (page) =>
      `Этот адрес указали, чтобы получать уведомления ${page}. Подтвердите, пожалуйста, что вы этого хотите.`,
    button: 'Подтвердить подписку',
    orOpen: 'Или откройте эту ссылку в браузере:',
    until: (moment) => `Ссылка действует до ${moment}.`,
    notYou:
      'Если вы этого не запрашивали, не обращайте внимания на это сообщение: без подтверждения вам ничего не придёт.',
  },
};
