import type { Client } from '../apply/client.ts';
import { applyPlan } from '../apply/execute.ts';
import type { Plan } from '../apply/plan.ts';
import type { Step } from '../apply/step.ts';
import { replaceVariables } from '../configuration/placeholders.ts';
import type { Configuration } from '../configuration/model.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { planFitting } from './fitting.ts';
import { planHistory } from './history/plan-history.ts';
import type { FailedChange, ImportPlan, PlannedChange, Target } from './target.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Creates the target of an import: a service, by its interface. Fields that an import does not set stay as they are, and
 * created objects have no mark of `apply`, since they belong to the user.
 */
export const createServiceTarget = (client: Client, { environment }: { environment: Environment }): Target => ({
  planConfiguration: async (configuration) => {
    const { value, problems, fromEnvironment } = replaceVariables(configuration, environment);
    if (problems.length > 0) throw new OperatorError(problems.map(({ sentence }) => sentence).join(' '));
    const { plan, remarks } = await planFitting(client, value as Configuration, {
      absentFields: 'unchanged',
      secretTexts: fromEnvironment,
    });
    return planOf(client, withoutSwitches(plan), remarks);
  },
  planHistory: (history) => planHistory(client, history),
});

/**
 * Fields that switch an object on or off. Whoever paused an object in Uptrail does not want an import to activate it, nor
 * the other way round.
 */
const SWITCHES: Readonly<Partial<Record<Step['kind'], string>>> = {
  checks: 'active',
  heartbeats: 'active',
  channels: 'enabled',
  rules: 'enabled',
};

/** Removes the changes of switches from a plan. */
const withoutSwitches = (plan: Plan): Plan => {
  const steps = plan.steps.flatMap((step): Step[] => {
    const name = SWITCHES[step.kind];
    if (step.action !== 'change' || name === undefined || !(name in step.fields)) return [step];
    const fields = Object.fromEntries(Object.entries(step.fields).filter(([field]) => field !== name));
    const changes = step.changes.filter(({ path }) => path[0] !== name);
    return Object.keys(fields).length === 0 ? [] : [{ ...step, fields, changes }];
  });
  return { ...plan, steps, unchanged: plan.unchanged + plan.steps.length - steps.length };
};

const planOf = (client: Client, plan: Plan, remarks: readonly string[]): ImportPlan => {
  let left: ReadonlySet<string> = new Set();
  return {
    changes: plan.steps.map(changeOf),
    unchanged: plan.unchanged,
    get remarks() {
      return [...remarks, ...plan.steps.filter(({ label }) => !left.has(label)).flatMap(takenOver)];
    },
    apply: async () => {
      const failed: FailedChange[] = [];
      const unmarked = { ...plan, mark: { ...plan.mark, kinds: new Set<never>() } };
      const { conflicts } = await applyPlan(client, unmarked, {
        done: (step, sentence) => {
          if (sentence !== null) failed.push({ ...labelOf(step), sentence });
        },
      });
      const isFailed = new Set(failed.map(({ kind, name }) => `${kind} "${name}"`));
      left = new Set([...isFailed, ...conflicts]);
      const conflicting = plan.steps.filter(({ label }) => conflicts.includes(label) && !isFailed.has(label));
      const sentence = 'Somebody has changed it meanwhile, so it was left as it is.';
      return [...failed, ...conflicting.map((step) => ({ ...labelOf(step), sentence }))];
    },
  };
};

/** Returns a sentence about an object that the import does not create, but changes. */
const takenOver = ({ action, label, changes }: Step): string[] =>
  action === 'change' ? [`${label} existed before and is changed: ${fieldsOf(changes).join(', ')}.`] : [];

/** Splits the label of a step (`check "Shop"`) into the kind and the rest. */
const labelOf = ({ label, name }: Step): { kind: string; name: string } => {
  const [, kind = label, rest = name] = /^([^"]*?) "(.*)"$/s.exec(label) ?? [];
  return { kind, name: rest };
};

const changeOf = (step: Step): PlannedChange => ({
  action: step.action === 'create' ? 'create' : 'change',
  ...labelOf(step),
  ...(step.action === 'change' && { fields: fieldsOf(step.changes) }),
});

/** Returns the first names of the paths that change, each once. */
const fieldsOf = (changes: Step['changes']): string[] => [...new Set(changes.map(({ path }) => path[0] ?? ''))];
