/** Texts of the simulation beside the form of an alert rule. */
export interface SimulationWords {
  title: string;
  text: string;
  period: string;
  periods: Readonly<Record<'week' | 'month' | 'quarter' | 'custom', string>>;
  from: string;
  to: string;
  run: string;
  running: string;
  /** the result in a sentence */
  count: (alerts: number, runs: number) => string;
  /** shown if a limit was reached */
  truncated: string;
  /** shown if the form has changed since the simulation */
  stale: string;
  invalid: string;
  fired: string;
  resolved: string;
  stillActive: string;
  duration: string;
  check: string;
  results: string;
  /** label of a link to a result */
  result: (region: string) => string;
}
