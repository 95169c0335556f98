import { plurals } from '../words/plurals.ts';
import { bulk } from './ru/bulk.ts';
import { checkForm } from './ru/check-form.ts';
import { checkStart } from './ru/check-start.ts';
import { alertChannels } from './ru/alert-channels.ts';
import { alertRules } from './ru/alert-rules.ts';
import { alerts } from './ru/alerts.ts';
import { common } from './ru/common.ts';
import { secrets } from './ru/secrets.ts';
import { account } from './ru/account/account.ts';
import { audit } from './ru/account/audit.ts';
import { keys } from './ru/account/keys.ts';
import { links } from './ru/account/links.ts';
import { operator } from './ru/account/operator.ts';
import { people } from './ru/account/people.ts';
import { plan } from './ru/account/plan.ts';
import { sessions } from './ru/account/sessions.ts';
import { wall } from './ru/account/wall.ts';
import { incidents } from './ru/incidents.ts';
import { maintenances } from './ru/maintenances.ts';
import { templates } from './ru/templates.ts';
import { check } from './ru/check.ts';
import { result } from './ru/result.ts';
import { groups } from './ru/groups.ts';
import { heartbeats } from './ru/heartbeats.ts';
import { reports } from './ru/reports.ts';
import { runners } from './ru/runners.ts';
import { tags } from './ru/tags.ts';
import { appearance } from './ru/appearance.ts';
import { components } from './ru/components.ts';
import { pageSettings } from './ru/page-settings.ts';
import { pages } from './ru/pages.ts';
import { subscribers } from './ru/subscribers.ts';
import { palette } from './ru/palette.ts';
import { savedViews } from './ru/saved-views.ts';
import { past } from './ru/past.ts';
import { shortcuts } from './ru/shortcuts.ts';
import { simulation } from './ru/simulation.ts';
import type { ConsoleWords } from './words.ts';

const seconds = plurals('ru', { one: 'секунду', few: 'секунды', many: 'секунд', other: 'секунды' });
const checks = plurals('ru', {
  one: 'проверка, которая не проходит',
  few: 'проверки, которые не проходят',
  many: 'проверок, которые не проходят',
  other: 'проверки, которые не проходят',
});
const moreAlerts = plurals('ru', {
  one: 'открытое оповещение не показано',
  few: 'открытых оповещения не показаны',
  many: 'открытых оповещений не показаны',
  other: 'открытого оповещения не показаны',
});
const ofChecks = plurals('ru', { one: 'проверка', few: 'проверки', many: 'проверок', other: 'проверки' });

export const ru: ConsoleWords = {
  common,
  bulk,
  checkForm,
  checkStart,
  secrets,
  account,
  audit,
  keys,
  links,
  operator,
  people,
  plan,
  sessions,
  wall,
  incidents,
  maintenances,
  templates,
  check,
  result,
  alerts,
  alertRules,
  alertChannels,
  heartbeats,
  groups,
  tags,
  reports,
  runners,
  pages,
  components,
  appearance,
  pageSettings,
  subscribers,
  palette,
  savedViews,
  shortcuts,
  past,
  simulation,
  skipToContent: 'Перейти к содержимому',
  loading: 'Загрузка',
  close: 'Закрыть',
  needsScript: 'Консоли нужен JavaScript. Разрешите его для этого сайта.',
  screens: {
    overview: 'Обзор',
    checks: 'Проверки',
    alerts: 'Оповещения',
    secrets: 'Секреты',
    people: 'Люди',
    keys: 'Ключи API',
    audit: 'Журнал действий',
    plan: 'Тариф',
    usage: 'Использование',
    operator: 'Сервис',
    profile: 'Ваша учётная запись',
    sessions: 'Сеансы',
    wall: 'Настенный экран',
    incidents: 'Инциденты',
    maintenances: 'Технические работы',
    incidentTemplates: 'Шаблоны инцидентов',
    heartbeats: 'Сигналы heartbeat',
    groups: 'Группы',
    tags: 'Метки',
    reports: 'Отчёты',
    runners: 'Исполнители',
    pages: 'Страницы статуса',
  },
  shell: {
    navigation: 'Меню',
    openNavigation: 'Открыть меню',
    closeNavigation: 'Закрыть меню',
    account: 'Учётная запись',
    signOut: 'Выйти',
    documentation: 'Документация API',
    reconnecting: 'Восстанавливается связь, последние данные',
    shortcuts: 'Горячие клавиши',
    language: 'Язык',
    theme: 'Оформление',
    themes: { system: 'Авто', light: 'Светлое', dark: 'Тёмное' },
    roles: { viewer: 'Просмотр', editor: 'Редактирование', admin: 'Администрирование', billing: 'Оплата' },
  },
  failure: {
    title: 'Не удалось загрузить',
    unreachable: 'Сервис не отвечает. Возможно, он перезапускается или нет сети.',
    forbidden: 'Ваша роль этого не позволяет.',
    tryAgain: 'Повторить',
    request: 'Запрос',
    tooMany: (count) => `Слишком много попыток. Подождите ${seconds(count)}.`,
    notFound: 'Страница не найдена',
    notFoundText: 'По этому адресу ничего нет. Возможно, страницу удалили или ссылка неполная.',
    backToOverview: 'К обзору',
  },
  signIn: {
    title: 'Вход',
    email: 'Эл. почта',
    password: 'Пароль',
    submit: 'Войти',
    showPassword: 'Показать',
    hidePassword: 'Скрыть',
    wrong: 'Неверный адрес почты или пароль.',
    ended: 'Сеанс завершён. Войдите снова.',
    codeTitle: 'Второй фактор',
    codeText: 'Введите код из приложения-аутентификатора или один из кодов восстановления.',
    code: 'Код',
    wrongCode: 'Код неверен или устарел. Если это повторяется, начните сначала.',
    startOver: 'Начать сначала',
    notEncrypted: 'Соединение не зашифровано: другие в сети могут прочитать ваш пароль. Используйте https.',
    forgotten: 'Забыли пароль?',
  },
  firstRun: {
    title: 'Настройка Uptrail',
    keyText: (file, variable) =>
      `Введите ключ администратора. Он был показан при первом запуске и хранится в файле ${file} папки данных, если в ${variable} не указан другой.`,
    key: 'Ключ администратора',
    continue: 'Продолжить',
    wrongKey: 'Этот ключ неизвестен. Проверьте, что он скопирован полностью.',
    noAdminKey: 'Этот ключ не позволяет создавать учётные записи. Нужен ключ администратора.',
    userTitle: 'Создание учётной записи',
    userText: 'Вы первый пользователь и станете администратором. Остальных можно пригласить позже.',
    repeatPassword: 'Повторите пароль',
    passwordRule: 'Не меньше 8 символов.',
    different: 'Пароли не совпадают.',
    emailRefused: 'Это не адрес электронной почты.',
    emailTaken: 'Этот адрес принадлежит другому пользователю.',
    passwordRefused: 'Этот пароль слишком легко угадать. Выберите другой.',
    submit: 'Создать учётную запись',
    otherKey: 'Использовать другой ключ',
    already: 'Пользователь уже есть. Войдите.',
  },
  states: { down: 'недоступно', up: 'работает', pending: 'ожидает', paused: 'приостановлено' },
  severities: { low: 'низкая', medium: 'средняя', high: 'высокая', critical: 'критическая' },
  incidentStatuses: {
    investigating: 'выясняется причина',
    identified: 'причина найдена',
    monitoring: 'под наблюдением',
    in_progress: 'идёт',
    verifying: 'проверяется',
  },
  overview: {
    failing: 'Проверки, которые не проходят',
    allUp: 'Всё работает',
    allUpText: 'Все проверки проходят, открытых оповещений и опоздавших сигналов heartbeat нет.',
    noChecks: 'Пока ничего не проверяется',
    noChecksText: 'Создайте проверку, и её состояние появится здесь.',
    howToCreate: 'Как создать проверку',
    more: checks,
    alerts: 'Открытые оповещения',
    moreAlerts,
    acknowledge: 'Принять',
    acknowledged: 'принято',
    lateHeartbeats: 'Опоздавшие сигналы heartbeat',
    late: 'опаздывает',
    incidents: 'Инциденты и работы',
  },
  checks: {
    name: 'Название',
    type: 'Тип',
    message: 'Сообщение',
    hours: 'За 24 часа',
    since: 'Длится',
    responseTime: 'Время ответа',
    uptime: 'Доступность за 30 дней',
    tags: 'Метки',
    filter: 'Фильтр проверок',
    filterExample: 'status:down tag:eu текст',
    matches: ofChecks,
    noMatch: 'Нет проверок, подходящих под фильтр.',
    showAll: 'Показать все проверки',
    orderChanged: 'Порядок изменился',
    select: 'Выбрать',
    selectAll: 'Выбрать все проверки',
    selection: 'Выбранные проверки',
    selected: (count) => `Выбрано: ${ofChecks(count)}`,
    selectMatches: (count) => `Выбрать все: ${ofChecks(count)}`,
    pause: 'Приостановить',
    resume: 'Возобновить',
    run: 'Запустить сейчас',
    addTags: 'Добавить',
    removeTags: 'Убрать',
    tagsHint: 'Строчные латинские буквы, цифры и . _ : - через пробел.',
    delete: 'Удалить',
    tooMany: (count) => `За один раз не более: ${ofChecks(count)}`,
    clear: 'Снять выбор',
    deleted: 'удалена',
    undo: 'Отменить',
    changed: (count) => `Изменено: ${ofChecks(count)}.`,
    deletedMany: (count) => `Удалено: ${ofChecks(count)}.`,
    restored: (count) => `Восстановлено: ${ofChecks(count)}.`,
    started: 'Проверка выполняется.',
  },
};
