import { escaped, type Output } from '../../service/output.ts';
import type { ApplyReport } from './execute.ts';
import type { FieldChange } from './compare.ts';
import type { Plan } from './plan.ts';
import type { Step } from './step.ts';

const SIGNS = { create: '+', change: '~', delete: '-' } as const;
const LONGEST_VALUE = 120;

/** Prints a plan: a line for each object, and below it a line for each value that is set or changes. */
export const showPlan = async (plan: Plan, { json }: { json: boolean }, output: Output): Promise<void> => {
  for (const step of plan.steps) {
    const lines = json ? [JSON.stringify(plannedObject(step))] : linesOf(step);
    for (const line of lines) await output.line(line);
  }
  const { create, change, delete: deleted } = countsOf(plan);
  if (json) {
    const { unchanged, uncompared } = plan;
    await output.line(JSON.stringify({ create, change, delete: deleted, unchanged, uncompared }));
    return;
  }
  if (plan.steps.length > 0) await output.line('');
  await output.line(
    plan.steps.length === 0
      ? `Nothing changes. ${counted(plan.unchanged, 'object')} unchanged.`
      : `${create} to create, ${change} to change, ${deleted} to delete, ${plan.unchanged} unchanged.`,
  );
  if (plan.uncompared > 0) {
    const values = counted(plan.uncompared, 'secret value');
    await output.line(
      `${values} counted as unchanged, because the service does not show them. After changing one, add --write-secrets.`,
    );
  }
};

export const countsOf = ({ steps }: Plan): Record<Step['action'], number> => {
  const counts = { create: 0, change: 0, delete: 0 };
  for (const { action } of steps) counts[action] += 1;
  return counts;
};

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

const headOf = ({ action, label, remark }: Step): string[] => [
  `${SIGNS[action]} ${escaped(label)}`,
  ...(remark === undefined ? [] : [`    ${escaped(remark)}`]),
];

const linesOf = (step: Step): string[] => [
  ...headOf(step),
  ...step.changes
    .filter(({ path }) => step.action !== 'create' || path[0] !== 'name')
    .map(
      (change) => `    ${pathOf(change)}: ${step.action === 'create' ? shown(change.new, change) : transition(change)}`,
    ),
];

const pathOf = ({ path }: FieldChange): string => escaped(path.join('.'));

const transition = (change: FieldChange): string => `${shown(change.old, change)} → ${shown(change.new, change)}`;

const shown = (value: unknown, { isSecret }: FieldChange): string => {
  if (value === undefined || value === null) return 'null';
  if (isSecret) return '(secret)';
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
};

const plannedObject = ({ action, kind, name, page, label, changes, remark }: Step): object => ({
  action,
  kind,
  name,
  ...(page !== null && { page }),
  label,
  ...(remark !== undefined && { remark }),
  fields: changes.map(({ path, old, new: current, isSecret }) => ({
    field: path.join('.'),
    ...(isSecret ? { secret: true } : { ...(action === 'change' && { old: old ?? null }), new: current ?? null }),
  })),
});

/** Prints what was done, and what was not and why. */
export const showReport = async (report: ApplyReport, output: Output): Promise<void> => {
  const { created, changed, deleted, unchanged, conflicts, failures, skipped } = report;
  await output.line(
    `${created.length} created, ${changed.length} changed, ${deleted.length} deleted, ${unchanged} unchanged.`,
  );
  if (conflicts.length > 0) {
    await output.line(`${counted(conflicts.length, 'object')} changed by somebody since the plan, and left as is:`);
    for (const label of conflicts) await output.line(`  ${escaped(label)}`);
  }
  if (failures.length > 0) await output.line(`${counted(failures.length, 'step')} failed.`);
  if (skipped.length > 0) await output.line(`${counted(skipped.length, 'step')} not carried out.`);
};

/** Returns the lines about a step that was carried out or has failed. */
export const stepLines = (step: Step, failure: string | null): string[] =>
  failure === null ? headOf(step) : [escaped(`! ${step.label}: ${failure}`)];
