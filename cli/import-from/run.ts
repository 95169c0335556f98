import { OperatorError } from '../../service/operator-error.ts';
import { escaped, type Output } from '../../service/output.ts';
import type { Imported } from './imported.ts';
import type { FailedChange, ImportPlan, PlannedChange, Target } from './target.ts';

export interface ImportOptions {
  /** the title of the product */
  title: string;
  dryRun: boolean;
  json: boolean;
}

/** A plan and what became of it. */
interface Done extends Pick<ImportPlan, 'changes' | 'unchanged' | 'remarks'> {
  failed: readonly FailedChange[];
}

/**
 * Imports what was read from another product, and prints a line for each object that is created or changed, a summary,
 * and the sentences on what could not be mapped. No line contains the value of a field.
 *
 * @throws OperatorError changes failed; their lines are printed before
 */
export const runImport = async (
  imported: Imported,
  target: Target,
  options: ImportOptions,
  output: Output,
): Promise<void> => {
  const { has_variables = false, incidents = [], subscribers = [], component_statuses = [] } = imported;
  const configuration = await perform(
    await target.planConfiguration(imported.configuration, has_variables),
    options,
    output,
  );
  const history = await perform(
    await target.planHistory({ incidents, subscribers, component_statuses }),
    options,
    output,
  );
  const failed = [...configuration.failed, ...history.failed];
  const changes = [...configuration.changes, ...history.changes];
  const unchanged = configuration.unchanged + history.unchanged;
  const remarks = [...imported.unmapped, ...configuration.remarks, ...history.remarks];
  await summarize({ changes, unchanged, remarks, failed }, options, output);
  if (failed.length > 0) {
    throw new OperatorError(
      `${failed.length} of ${sumOf(changes) + failed.length} changes failed. Run the import again when the causes are resolved.`,
    );
  }
};

/** Applies a plan unless this is a dry run, then prints its changes. */
const perform = async (plan: ImportPlan, { dryRun, json }: ImportOptions, output: Output): Promise<Done> => {
  // A failure to apply must not follow a line that says that an object was created.
  const failed = dryRun ? [] : await plan.apply();
  const isFailed = new Set(failed.map(keyOf));
  const changes = plan.changes.filter((change) => change.name === undefined || !isFailed.has(keyOf(change)));
  // Names and sentences contain texts of files. A line break in one of them must not begin another line of the report.
  for (const change of changes) await output.line(json ? JSON.stringify(change) : escaped(lineOf(change, dryRun)));
  for (const { kind, name, sentence } of failed) {
    await output.line(
      json
        ? JSON.stringify({ action: 'failed', kind, name, sentence })
        : escaped(`failed ${kind} "${name}": ${sentence}`),
    );
  }
  return { changes, unchanged: plan.unchanged, remarks: plan.remarks, failed };
};

const keyOf = ({ kind, name }: { kind: string; name?: string }): string => JSON.stringify([kind, name]);

const WORDS = { create: 'created', change: 'changed' } as const;

const lineOf = ({ action, kind, name, count = 1, fields = [] }: PlannedChange, dryRun: boolean): string => {
  const what = name === undefined ? `${count} ${count === 1 ? kind : pluralOf(kind)}` : `${kind} "${name}"`;
  return `${dryRun ? action : WORDS[action]} ${what}${fields.length > 0 ? ` (${fields.join(', ')})` : ''}`;
};

const pluralOf = (kind: string): string => `${kind}${kind.endsWith('s') ? 'es' : 's'}`;

/** Returns the number of objects in changes. */
const sumOf = (changes: readonly PlannedChange[]): number => changes.reduce((sum, { count = 1 }) => sum + count, 0);

const summarize = async (
  { changes, unchanged, remarks, failed }: Done,
  { title, dryRun, json }: ImportOptions,
  output: Output,
): Promise<void> => {
  const count = (action: PlannedChange['action']): number =>
    sumOf(changes.filter((change) => change.action === action));
  const [created, changed] = [count('create'), count('change')];
  if (json) {
    const counts = { created, changed, unchanged, failed: failed.length };
    await output.line(JSON.stringify({ ...counts, dry_run: dryRun, unmapped: remarks }));
    return;
  }
  await output.line(
    dryRun
      ? `Plan for ${title}: ${created} to create, ${changed} to change, ${unchanged} unchanged. Nothing was written.`
      : `Imported from ${title}: ${created} created, ${changed} changed, ${unchanged} unchanged.`,
  );
  if (remarks.length === 0) return;
  await output.line('What differs or could not be imported:');
  for (const sentence of remarks) await output.line(escaped(`- ${sentence}`));
};
