import { plurals } from '../../words/plurals.ts';
import type { SimulationWords } from '../words/simulation.ts';

const ofAlerts = plurals('en', { one: 'alert', other: 'alerts' });
const ofRuns = plurals('en', { one: 'run', other: 'runs' });

export const simulation: SimulationWords = {
  title: 'What would have fired',
  text: 'Applies the rule in the form to stored results. Nothing is saved, and nobody is notified.',
  period: 'Period',
  periods: { week: 'Last 7 days', month: 'Last 30 days', quarter: 'Last 90 days', custom: 'Other period' },
  from: 'From',
  to: 'Until',
  run: 'Simulate',
  running: 'Simulating',
  count: (alerts, runs) => `${ofAlerts(alerts)} in ${ofRuns(runs)}`,
  truncated: 'A limit was reached, so there may be more alerts. Choose a shorter period.',
  stale: 'The form has changed since this simulation.',
  invalid: 'The form has invalid fields.',
  fired: 'Fired',
  resolved: 'Resolved',
  stillActive: 'still active at the end',
  duration: 'Duration',
  check: 'Check',
  results: 'Results',
  result: (region) => `Result from ${region}`,
};
