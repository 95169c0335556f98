import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { isFields } from '../../domain/fields.ts';
import { OperatorError } from '../../service/operator-error.ts';
import type { Output } from '../../service/output.ts';
import { openDestination } from '../export/destination.ts';
import { readConfigurationFiles } from '../configuration/read.ts';
import { replaceVariables } from '../configuration/placeholders.ts';
import { readYamlFiles } from '../configuration/yaml-files.ts';
import type { Client } from './client.ts';
import { applyPlan, Unfinished } from './execute.ts';
import { exportConfiguration } from './export.ts';
import { planConfiguration, type Plan } from './plan.ts';
import { showPlan, showReport, stepLines } from './show.ts';

export interface PlanCommandOptions {
  /** files and folders */
  file: string[];
  prune: boolean;
  /** file with values for `${kept}` */
  values?: string;
  writeSecrets: boolean;
  json: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Exit code of `plan` when something would change. */
export const CHANGES = 2;
/** Exit code of `apply` when objects were left as they are, because somebody has changed them since the plan. */
export const CONFLICTS = 3;

/** `uptrail plan`. @returns the exit code @throws OperatorError */
export const runPlan = async (
  client: Client,
  options: PlanCommandOptions,
  { environment, output }: { environment: Environment; output: Output },
): Promise<number> => {
  const plan = await planned(client, options, environment);
  await showPlan(plan, options, output);
  requireValues(plan);
  return plan.steps.length > 0 ? CHANGES : 0;
};

/** `uptrail apply`. @returns the exit code @throws OperatorError */
export const runApply = async (
  client: Client,
  options: PlanCommandOptions & { yes: boolean },
  { environment, output }: { environment: Environment; output: Output },
): Promise<number> => {
  const plan = await planned(client, options, environment);
  requireValues(plan);
  if (plan.steps.length > 0 && !options.yes && output.terminal && process.stdin.isTTY) {
    await showPlan(plan, options, output);
    if (!(await isConfirmed(client))) throw new OperatorError('Nothing was changed.');
  }
  const lines: Promise<void>[] = [];
  const outcome = await applyPlan(client, plan, {
    done: (step, failure) => {
      if (!options.json) lines.push(...stepLines(step, failure).map(output.line));
    },
  }).catch((error: unknown) => {
    if (!(error instanceof Unfinished)) throw error;
    return error;
  });
  await Promise.all(lines);
  const report = outcome instanceof Unfinished ? outcome.report : outcome;
  if (options.json) await output.line(JSON.stringify(report));
  else await showReport(report, output);
  if (outcome instanceof Unfinished) throw outcome;
  if (report.failures.length > 0) return 1;
  return report.conflicts.length > 0 ? CONFLICTS : 0;
};

const isConfirmed = async (client: Client): Promise<boolean> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`Apply this to ${client.server}? [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
};

/** `uptrail export-config`. @throws OperatorError */
export const runExportConfig = async (
  client: Client,
  { output: file }: { output?: string },
  output: Output,
): Promise<void> => {
  const text = await exportConfiguration(client, { forTerminal: file === undefined && output.terminal });
  if (file === undefined) {
    const destination = await openDestination(undefined, output);
    await destination.write(text);
    return;
  }
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new OperatorError(`${file} cannot be written: ${(error as Error).message}`);
  }
};

const planned = (client: Client, options: PlanCommandOptions, environment: Environment): Promise<Plan> => {
  const { configuration, locate, fromEnvironment } = readConfigurationFiles(options.file, environment);
  const values = options.values === undefined ? {} : valuesIn(options.values, environment);
  return planConfiguration(client, configuration, {
    prune: options.prune,
    writeSecrets: options.writeSecrets,
    values,
    locate,
    secretTexts: new Set([...fromEnvironment, ...Object.values(values)]),
  });
};

/** Reads the values for `${kept}`: a YAML file that maps names to texts. @throws OperatorError */
const valuesIn = (file: string, environment: Environment): Record<string, string> => {
  const values: Record<string, string> = {};
  for (const document of readYamlFiles([file])) {
    const { value, problems } = replaceVariables(document.value, environment);
    const [problem] = problems;
    if (problem) throw new OperatorError(`${file}:${document.lineOf(problem.path)}: ${problem.sentence}`);
    if (!isFields(value)) throw new OperatorError(`${file} must map names to texts.`);
    for (const [name, text] of Object.entries(value)) {
      if (typeof text !== 'string')
        throw new OperatorError(`${file}:${document.lineOf([name])}: ${name} must be a text.`);
      values[name] = text;
    }
  }
  return values;
};

/** @throws OperatorError the service lacks values */
const requireValues = ({ needed }: Plan): void => {
  if (needed.length === 0) return;
  throw new OperatorError(
    [
      'The service stores no value for these texts, which are ${kept} in the files. Replace them in the files, or name a',
      'YAML file with --values that maps each of these names to a text, such as ${env:NAME}:',
      ...needed.map((name) => `  ${JSON.stringify(name)}:`),
    ].join('\n'),
  );
};
