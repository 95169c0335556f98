import type { Client } from '../apply/client.ts';
import { applyPlan } from '../apply/execute.ts';
import { planConfiguration, type Plan, type Step } from '../apply/plan.ts';
import { replaceVariables } from '../configuration/placeholders.ts';
import type { Configuration } from '../configuration/model.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { importHistory, type HistoryReport } from './history/import-history.ts';
import type { FailedChange, History, ImportPlan, PlannedChange, Target } from './target.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Creates the target of an import: a service, by its interface. Fields that an import does not set stay as they are, and
 * created objects have no mark of `apply`, since they belong to the user.
 */
export const createServiceTarget = (client: Client, { environment }: { environment: Environment }): Target => ({
  planConfiguration: async (configuration) => {
    const { value, problems, fromEnvironment } = replaceVariables(configuration, environment);
    if (problems.length > 0) throw new OperatorError(problems.map(({ sentence }) => sentence).join(' '));
    const plan = await planConfiguration(client, value as Configuration, {
      absentFields: 'unchanged',
      secretTexts: fromEnvironment,
    });
    return planOf(client, plan);
  },
  planHistory: async (history) => historyPlan(client, history),
});

const planOf = (client: Client, plan: Plan): ImportPlan => ({
  changes: plan.steps.map(changeOf),
  unchanged: plan.unchanged,
  apply: async () => {
    const failed: FailedChange[] = [];
    const unmarked = { ...plan, mark: { ...plan.mark, kinds: new Set<never>() } };
    const { conflicts } = await applyPlan(client, unmarked, {
      done: (step, sentence) => {
        if (sentence !== null) failed.push({ ...labelOf(step), sentence });
      },
    });
    const isFailed = new Set(failed.map(({ kind, name }) => `${kind} "${name}"`));
    const conflicting = plan.steps.filter(({ label }) => conflicts.includes(label) && !isFailed.has(label));
    const sentence = 'Somebody has changed it meanwhile, so it was left as it is.';
    return [...failed, ...conflicting.map((step) => ({ ...labelOf(step), sentence }))];
  },
});

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

/** Compares the history without writing it. `apply` writes it, when its pages exist. */
const historyPlan = async (client: Client, history: History): Promise<ImportPlan> => {
  const compared = await importHistory(client, history, { dryRun: true });
  return {
    changes: changesOf(compared),
    unchanged: compared.incidents.unchanged + compared.subscribers.unchanged,
    apply: async () => {
      const { problems } = await importHistory(client, history);
      return problems.map((sentence) => ({ kind: 'history', name: 'status pages', sentence }));
    },
  };
};

const changesOf = ({ incidents, subscribers, statuses }: HistoryReport): PlannedChange[] => {
  const counted: PlannedChange[] = [
    { action: 'create', kind: 'incidents', count: incidents.created },
    { action: 'change', kind: 'incidents', count: incidents.updated },
    { action: 'create', kind: 'subscribers', count: subscribers.added },
    { action: 'change', kind: 'statuses of components', count: statuses },
  ];
  return counted.filter(({ count = 0 }) => count > 0);
};
