import { plurals } from '../../words/plurals.ts';
import type { SimulationWords } from '../words/simulation.ts';

const ofAlerts = plurals('de', { one: 'Alarm', other: 'Alarme' });
/** Forms used after the word `in`: `in 2 Läufen`. */
const inRuns = plurals('de', { one: 'Lauf', other: 'Läufen' });

export const simulation: SimulationWords = {
  title: 'Was ausgelöst worden wäre',
  text: 'Wendet die Regel im Formular auf gespeicherte Ergebnisse an. Nichts wird gespeichert, niemand wird benachrichtigt.',
  period: 'Zeitraum',
  periods: { week: 'Letzte 7 Tage', month: 'Letzte 30 Tage', quarter: 'Letzte 90 Tage', custom: 'Anderer Zeitraum' },
  from: 'Von',
  to: 'Bis',
  run: 'Simulieren',
  running: 'Simulation läuft',
  count: (alerts, runs) => `${ofAlerts(alerts)} in ${inRuns(runs)}`,
  truncated: 'Eine Grenze wurde erreicht, es kann also weitere Alarme geben. Wählen Sie einen kürzeren Zeitraum.',
  stale: 'Das Formular wurde seit dieser Simulation geändert.',
  invalid: 'Das Formular enthält ungültige Felder.',
  fired: 'Ausgelöst',
  resolved: 'Behoben',
  stillActive: 'am Ende noch aktiv',
  duration: 'Dauer',
  check: 'Prüfung',
  results: 'Ergebnisse',
  result: (region) => `Ergebnis aus ${region}`,
};
