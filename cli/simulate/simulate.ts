import { readFileSync } from 'node:fs';
import {
  presentSimulation,
  simulatedPeriod,
  simulatedRule,
  SimulationBody,
  simulationProblems,
  furtherSimulationProblems,
} from '../../api/v1/alerts/rules/simulation.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import { instantOf, type Instant } from '../../domain/time.ts';
import { compileBody } from '../../http/routes/validate.ts';
import type { FieldMessages } from '../../http/validation-messages.ts';
import { durationText } from '../../messages/duration.ts';
import { checks } from '../../projections/checks/projection.ts';
import { organizations } from '../../projections/organizations/projection.ts';
import { createPastEvents } from '../../projections/past/past-events.ts';
import type { Read } from '../../projections/readers.ts';
import { simulateRule, type Simulation } from '../../queries/alerts/simulation/simulate.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { printable, table, type Output } from '../../service/output.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

export interface SimulateOptions {
  /** path of a JSON file with the fields of a rule */
  file: string;
  from: string;
  /** default: now */
  to?: string | undefined;
  /** default: the organization of the check */
  organization?: string | undefined;
  json: boolean;
}

export interface SimulationSources {
  read: Read;
  /** the log `main`, whose events are upcast to the current versions */
  main: Pick<EventStore, 'readAll' | 'readStream'>;
  /** the first instant of the stored results */
  resultsFrom: Instant;
  /** milliseconds since 1970 */
  clock: () => number;
}

/**
 * Writes the alerts that a rule would have raised: a line for each alert, then the number of runs.
 *
 * @throws OperatorError the file cannot be read, or the rule or the period is invalid
 */
export const writeSimulation = async (
  options: SimulateOptions,
  { read, main, resultsFrom, clock }: SimulationSources,
  output: Output,
): Promise<void> => {
  const now = instantOf(clock());
  const rule = ruleIn(options.file);
  const scope = {
    read,
    organizationId: await organizationOf(rule, options, read),
    now,
    resultsFrom: () => resultsFrom,
  };
  const body = await validated({ ...rule, from: options.from, to: options.to ?? `${now}Z` }, scope);
  const source = createPastEvents(main);
  const simulation = await simulateRule(scope, simulatedRule(body), simulatedPeriod(body, now), {
    readEvents: source.all,
  });
  for (const line of options.json ? objects(simulation) : rows(simulation)) await output.line(line);
};

/** @throws OperatorError */
const ruleIn = (file: string): Fields => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`Cannot read the rule: ${(error as Error).message}`);
  }
  let rule: unknown;
  try {
    rule = JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`The file ${file} is not JSON: ${(error as Error).message}`);
  }
  if (!isFields(rule)) throw new OperatorError(`The file ${file} must contain the fields of a rule as a JSON object.`);
  return rule;
};

/** @throws OperatorError the organization is unknown, or must be named */
const organizationOf = async (rule: Fields, { organization }: SimulateOptions, read: Read): Promise<string> => {
  if (organization !== undefined) {
    if (await read(organizations).organizations.get(organization)) return organization;
    throw new OperatorError(`No organization has the id "${organization}".`);
  }
  const { check_id } = rule;
  if (typeof check_id !== 'string') {
    throw new OperatorError('The rule names no check. For a rule by tag, name its organization with --organization.');
  }
  const check = await read(checks).checks.get(check_id);
  if (!check) throw new OperatorError(`No check has the id "${check_id}".`);
  return check.organization_id;
};

const validate = compileBody(SimulationBody);

/** @throws OperatorError */
const validated = async (body: Fields, scope: Parameters<typeof simulationProblems>[0]): Promise<SimulationBody> => {
  const invalid = validate(body);
  const problems = invalid
    ? { ...(await furtherSimulationProblems(scope, body)), ...invalid }
    : await simulationProblems(scope, body as unknown as SimulationBody);
  if (Object.keys(problems).length > 0) throw new OperatorError(`The rule is invalid. ${sentencesOf(problems)}`);
  return body as unknown as SimulationBody;
};

const sentencesOf = (problems: FieldMessages): string =>
  Object.entries(problems)
    .map(([field, sentences]) => `${field}: ${sentences.join(' ')}`)
    .join(' ');

const objects = (simulation: Simulation): string[] => {
  const { alerts, runs, truncated } = presentSimulation(simulation);
  return [...alerts, { runs, truncated }].map((one) => JSON.stringify(one));
};

const rows = ({ alerts, runs, truncated }: Simulation): string[] => {
  const cells = alerts.map(({ check_id, check_name, fired_at, resolved_at, duration, trigger_results }) => [
    fired_at.slice(0, 19),
    resolved_at?.slice(0, 19) ?? 'still active',
    durationText(duration),
    check_id,
    printable(check_name),
    printable(trigger_results[0]?.error_message ?? ''),
  ]);
  const headings = ['FIRED (UTC)', 'RESOLVED (UTC)', 'FOR', 'CHECK', 'NAME', 'ERROR'];
  const counted = (count: number, what: string): string =>
    `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
  return [
    ...(alerts.length > 0 ? table(headings, cells) : []),
    `${counted(alerts.length, 'alert')} in ${counted(runs, 'run')}.`,
    ...(truncated ? ['A limit was reached, so further alerts are missing. Simulate a shorter period.'] : []),
  ];
};
