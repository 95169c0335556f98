import type { Output } from '../../service/output.ts';
import type { Imported } from './imported.ts';
import type { Action, ImportPlan, PlannedObject, Target } from './target.ts';

export interface ImportOptions {
  /** the title of the product */
  title: string;
  dryRun: boolean;
  json: boolean;
}

/**
 * Imports what was read from another product, and prints a line for each object that is created or changed, a summary,
 * and the sentences on what could not be mapped. No line contains the value of a field.
 *
 * @throws OperatorError the service refused something
 */
export const runImport = async (
  imported: Imported,
  target: Target,
  options: ImportOptions,
  output: Output,
): Promise<void> => {
  const history = { incidents: imported.incidents ?? [], subscribers: imported.subscribers ?? [] };
  const configuration = await target.planConfiguration(imported.configuration);
  await perform(configuration, options, output);
  const rest = await target.planHistory(history);
  await perform(rest, options, output);
  await summarize([...configuration.objects, ...rest.objects], imported.unmapped, options, output);
};

/** Prints the objects of a plan, and applies it unless this is a dry run. */
const perform = async (plan: ImportPlan, { dryRun, json }: ImportOptions, output: Output): Promise<void> => {
  // A failure to apply must not follow lines that say that objects were created.
  if (!dryRun) await plan.apply();
  for (const object of plan.objects) {
    if (json) await output.line(JSON.stringify(object));
    else if (object.action !== 'unchanged') await output.line(lineOf(object, dryRun));
  }
};

const DONE: Readonly<Record<Action, string>> = { create: 'created', update: 'changed', unchanged: 'unchanged' };
const PLANNED: Readonly<Record<Action, string>> = { create: 'create', update: 'change', unchanged: 'unchanged' };

const lineOf = ({ action, kind, name, fields = [] }: PlannedObject, dryRun: boolean): string =>
  `${(dryRun ? PLANNED : DONE)[action]} ${kind} "${name}"${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`;

const summarize = async (
  objects: readonly PlannedObject[],
  unmapped: readonly string[],
  { title, dryRun, json }: ImportOptions,
  output: Output,
): Promise<void> => {
  const count = (action: Action): number => objects.filter((object) => object.action === action).length;
  const counts = { created: count('create'), changed: count('update'), unchanged: count('unchanged') };
  if (json) {
    await output.line(JSON.stringify({ ...counts, dry_run: dryRun, unmapped }));
    return;
  }
  const { created, changed, unchanged } = counts;
  await output.line(
    dryRun
      ? `Plan for ${title}: ${created} to create, ${changed} to change, ${unchanged} unchanged. Nothing was written.`
      : `Imported from ${title}: ${created} created, ${changed} changed, ${unchanged} unchanged.`,
  );
  if (unmapped.length === 0) return;
  await output.line('What differs or could not be imported:');
  for (const sentence of unmapped) await output.line(`- ${sentence}`);
};
