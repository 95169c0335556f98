import { plurals } from '../../words/plurals.ts';
import type { SimulationWords } from '../words/simulation.ts';

const ofAlerts = plurals('ru', {
  one: 'оповещение',
  few: 'оповещения',
  many: 'оповещений',
  other: 'оповещения',
});
/** Forms used after the word «на»: «на 2 запусках». */
const onRuns = plurals('ru', { one: 'запуске', few: 'запусках', many: 'запусках', other: 'запуска' });

export const simulation: SimulationWords = {
  title: 'Что сработало бы',
  text: 'Применяет правило из формы к сохранённым результатам. Ничего не сохраняется, и никто не уведомляется.',
  period: 'Период',
  periods: {
    week: 'Последние 7 дней',
    month: 'Последние 30 дней',
    quarter: 'Последние 90 дней',
    custom: 'Другой период',
  },
  from: 'С',
  to: 'До',
  run: 'Проверить',
  running: 'Идёт проверка',
  count: (alerts, runs) => `${ofAlerts(alerts)} на ${onRuns(runs)}`,
  truncated: 'Достигнут предел, поэтому оповещений может быть больше. Выберите более короткий период.',
  stale: 'После этой проверки форма изменилась.',
  invalid: 'В форме есть недопустимые значения.',
  fired: 'Сработало',
  resolved: 'Устранено',
  stillActive: 'в конце ещё активно',
  duration: 'Длительность',
  check: 'Проверка',
  results: 'Результаты',
  result: (region) => `Результат из региона ${region}`,
};
