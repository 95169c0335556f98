import type { Client } from '../apply/client.ts';
import { applyPlan } from '../apply/execute.ts';
import type { Plan } from '../apply/plan.ts';
import type { Step } from '../apply/step.ts';
import { replaceVariables } from '../configuration/placeholders.ts';
import { IDENTITIES } from '../configuration/kinds.ts';
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
  planConfiguration: async (configuration, hasVariables = false) => {
    const { value, secretTexts } = hasVariables
      ? filledFrom(environment, configuration)
      : { value: configuration, secretTexts: new Set<string>() };
    const { plan, remarks } = await planFitting(client, value, {
      absentFields: 'unchanged',
      managedBy: null,
      secretTexts,
    });
    return planOf(client, withoutSwitches(plan), remarks);
  },
  planHistory: (history) => planHistory(client, history),
});

/** Replaces the variables of a configuration. @throws OperatorError a variable is not set */
const filledFrom = (environment: Environment, configuration: Configuration) => {
  const { value, problems, fromEnvironment } = replaceVariables(configuration, environment);
  if (problems.length > 0) throw new OperatorError(problems.map(({ sentence }) => sentence).join(' '));
  return { value: value as Configuration, secretTexts: fromEnvironment };
};

/**
 * Fields that switch an object on or off. An import leaves them as they are, so that it does not activate an object that
 * a user has paused in Uptrail, and does not pause an active one.
 */
const SWITCHES: Readonly<Partial<Record<Step['kind'], string>>> = {
  checks: 'active',
  check_groups: 'active',
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
      return [...remarks, ...plan.steps.filter(({ label }) => !left.has(label)).flatMap(remarksOf)];
    },
    apply: async () => {
      const failed = new Map<string, FailedChange>();
      const unmarked = { ...plan, mark: { ...plan.mark, kinds: new Set<never>() } };
      const { conflicts } = await applyPlan(client, unmarked, {
        done: (step, sentence) => {
          if (sentence !== null) failed.set(step.label, { ...labelOf(step), sentence });
        },
      });
      left = new Set([...failed.keys(), ...conflicts]);
      const conflicting = plan.steps.filter(({ label }) => conflicts.includes(label) && !failed.has(label));
      const sentence = 'Somebody has changed it meanwhile, so it was left as it is.';
      return [...failed.values(), ...conflicting.map((step) => ({ ...labelOf(step), sentence }))];
    },
  };
};

/** Returns a sentence about an object that the import does not create, but changes, or creates besides another one. */
const remarksOf = ({ action, label, changes, remark }: Step): string[] => {
  if (action === 'change') return [`${label} existed before and is changed: ${fieldsOf(changes).join(', ')}.`];
  return remark === undefined ? [] : [`${label} is new: ${remark}.`];
};

/** Splits the label of a step (`check "Shop"`) into the kind and the name. */
const labelOf = ({ kind, label }: Step): { kind: string; name: string } => {
  const { noun } = IDENTITIES[kind];
  return { kind: noun, name: label.slice(`${noun} "`.length, -1) };
};

const changeOf = (step: Step): PlannedChange => ({
  action: step.action === 'create' ? 'create' : 'change',
  ...labelOf(step),
  ...(step.action === 'change' && { fields: fieldsOf(step.changes) }),
});

/** Returns the first names of the paths that change, each once. */
const fieldsOf = (changes: Step['changes']): string[] => [...new Set(changes.map(({ path }) => path[0] ?? ''))];
