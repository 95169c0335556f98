import { plurals } from '../../words/plurals.ts';
import type { AlertRuleWords, RuleSentenceFacts } from '../words/alert-rules.ts';

/** Forms used after the word «в»: «в 2 запусках». */
const inRuns = plurals('ru', { one: 'запуске', few: 'запусках', many: 'запусках', other: 'запуска' });
/** Forms used after the word «после»: «после 2 запусков». */
const afterRuns = plurals('ru', { one: 'запуска', few: 'запусков', many: 'запусков', other: 'запуска' });
const inRegions = plurals('ru', { one: 'регионе', few: 'регионах', many: 'регионах', other: 'региона' });
const ofChecks = plurals('ru', { one: 'проверки', few: 'проверок', many: 'проверок', other: 'проверки' });
const ofChannels = plurals('ru', {
  one: 'другой канал',
  few: 'других канала',
  many: 'других каналов',
  other: 'другого канала',
});
const severities = { low: 'низкая', medium: 'средняя', high: 'высокая', critical: 'критическая' };

const subject = ({ check, tag }: RuleSentenceFacts): string => check ?? `проверка с меткой ${tag}`;

const wrong = (rule: RuleSentenceFacts): string => {
  switch (rule.condition) {
    case 'check_failed':
      return `${subject(rule)} не проходит`;
    case 'check_timeout':
      return `${subject(rule)} превышает время ожидания`;
    case 'check_degraded':
      return `${subject(rule)} занимает больше ${rule.limit}`;
    case 'consecutive_failures':
      return `${subject(rule)} не проходит в ${inRuns(rule.count)} подряд`;
    case 'uptime_below_threshold':
      return `доступность за ${rule.window} (${subject(rule)}) ниже ${rule.threshold}`;
  }
};

const where = ({ mode, regions }: RuleSentenceFacts): string =>
  ({
    any_region: 'в любом регионе',
    all_regions: 'во всех регионах',
    majority: 'в большинстве регионов',
    specific_count: `не менее чем в ${inRegions(regions)}`,
  })[mode];

export const alertRules: AlertRuleWords = {
  title: 'Правила',
  add: 'Новое правило',
  addTitle: 'Новое правило оповещения',
  none: 'Правил оповещения пока нет',
  noneText: 'Правило определяет, какие каналы уведомить, когда проверка не проходит.',
  noMatch: 'Нет правил, подходящих под фильтр.',
  search: 'Поиск правил',
  rule: 'Правило',
  effect: 'Что оно делает',
  state: 'Состояние',
  sentences: (rule) => [
    `Если ${wrong(rule)} ${where(rule)}${rule.confirmations > 1 ? `, в ${inRuns(rule.confirmations)} подряд` : ''}, ` +
      `начинается оповещение (важность: ${severities[rule.severity]}).`,
    ...(rule.channels === '' ? [] : [`Уведомляются: ${rule.channels}.`]),
    rule.autoResolve
      ? `Оно завершается после ${rule.recoveries === 1 ? 'одного запуска' : `${afterRuns(rule.recoveries)} подряд`}, когда условие не выполняется.`
      : 'Оно длится, пока его кто-нибудь не завершит.',
    ...(rule.cooldown === null ? [] : [`Следующее начнётся не раньше чем через ${rule.cooldown} после него.`]),
  ],
  moreChannels: ofChannels,
  enabled: 'включено',
  disabled: 'выключено',
  enable: 'Включить',
  disable: 'Выключить',
  mutedUntil: 'без уведомлений до',
  muteFor: (duration) => `Не уведомлять: ${duration}`,
  unmute: 'Снова уведомлять',
  quietBy: 'молчит во время работ:',
  ofTag: 'Метка',
  deleteTitle: (name) => `Удалить правило ${name}?`,
  deleteText: 'Его активные оповещения будут завершены. Прошлые оповещения останутся.',
  watches: 'За чем оно следит',
  about: 'Следит за',
  abouts: { check: 'Одной проверкой', tag: 'Каждой проверкой с меткой' },
  check: 'Проверка',
  findCheck: 'Введите часть названия',
  tag: 'Метка',
  tagHint: 'У каждой проверки своё оповещение, в том числе у тех, которые получат метку позже.',
  tagged: (count) => `Сейчас эта метка есть у ${ofChecks(count)}.`,
  when: 'Когда срабатывает',
  condition: 'Условие',
  conditions: {
    check_failed: 'Запуск не прошёл',
    consecutive_failures: 'Несколько запусков подряд не прошли',
    check_timeout: 'Запуск превысил время ожидания',
    check_degraded: 'Запуск был слишком долгим',
    uptime_below_threshold: 'Доступность слишком низкая',
  },
  limit: 'Время ответа больше',
  count: 'Неудачных запусков подряд',
  threshold: 'Доступность ниже',
  window: 'За последние',
  mode: 'В скольких регионах',
  modes: {
    any_region: 'В любом регионе',
    majority: 'В большинстве регионов',
    all_regions: 'Во всех регионах',
    specific_count: 'В определённом числе регионов',
  },
  regions: 'Регионов не менее',
  confirmations: 'Запусков подряд до срабатывания',
  confirmationsHint: 'При двух и более один неудачный запуск никого не разбудит.',
  then: 'Кого уведомить',
  channels: 'Каналы',
  noChannels: 'Каналов оповещения пока нет.',
  addChannel: 'Новый канал',
  end: 'Как завершается',
  autoResolve: 'Завершать оповещение, когда условие больше не выполняется',
  recoveries: 'Успешных запусков подряд до завершения',
  cooldown: 'Время между оповещениями',
  cooldownHint: 'Считается от начала предыдущего оповещения.',
  mutedUntilField: 'Без уведомлений до',
  mutedUntilHint: 'До этого времени оповещения видны в списке, но никто не уведомляется.',
  enabledField: 'Правило включено',
  nameExample: 'Магазин недоступен',
  alertsOfRule: 'Оповещения этого правила',
};
