import { OBJECT_KINDS, type ObjectKind } from '../../api/configuration/entries.ts';
import { isFields, type Fields } from '../../domain/fields.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { bodyOf } from './bodies.ts';
import { createChecks } from './bulk.ts';
import { Refusal, type Client } from './client.ts';
import { namedAs } from './current-objects.ts';
import type { Plan } from './plan.ts';
import type { Step } from './step.ts';
import { RESOURCES } from './resources.ts';

export interface ApplyOptions {
  /** called after each step */
  done?: (step: Step, failure: string | null) => void;
}

/** A step that was not carried out. */
export interface Failure {
  label: string;
  sentence: string;
}

/** What was done. Each list has the names of objects. */
export interface ApplyReport {
  created: string[];
  changed: string[];
  deleted: string[];
  unchanged: number;
  /** objects that somebody has changed since the plan; they stay as they are */
  conflicts: string[];
  failures: Failure[];
}

/**
 * Carries out a plan. A step that fails stops no other, except those that need its object. Sends no notifications.
 *
 * @throws OperatorError values are missing, the key is not valid, or the service cannot be reached
 */
export const applyPlan = async (client: Client, plan: Plan, options: ApplyOptions = {}): Promise<ApplyReport> => {
  if (plan.needed.length > 0) throw new OperatorError('The plan lacks values.');
  const report: ApplyReport = {
    created: [],
    changed: [],
    deleted: [],
    unchanged: plan.unchanged,
    conflicts: [],
    failures: [],
  };
  const run = runnerOf(client, plan, report, options);
  for (const kind of OBJECT_KINDS) {
    const steps = plan.steps.filter((step) => step.kind === kind && step.action !== 'delete');
    // Renamed objects free their names first.
    await inTurn(
      kind,
      steps.filter(({ action }) => action === 'change'),
      run,
    );
    const created = steps.filter(({ action }) => action === 'create');
    if (kind === 'checks') await createInBulk(client, plan, created, report, options);
    else await inTurn(kind, created, run);
  }
  for (const step of plan.steps) if (step.action === 'delete') await run(step);
  return report;
};

/** Kinds whose objects go to the end of a list, so that their order matters. */
const ORDERED: ReadonlySet<ObjectKind> = new Set(['check_groups', 'component_groups', 'components']);

const inTurn = async (kind: ObjectKind, steps: readonly Step[], run: (step: Step) => Promise<void>): Promise<void> => {
  if (!ORDERED.has(kind)) await Promise.all(steps.map(run));
  else for (const step of steps) await run(step);
};

/** Records the outcome of a step. @param error null if the step was carried out */
const record = (report: ApplyReport, step: Step, error: unknown, { done }: ApplyOptions): void => {
  const failure = failureOf(report, step, error);
  done?.(step, failure);
};

const failureOf = (report: ApplyReport, step: Step, error: unknown): string | null => {
  const { action, label } = step;
  if (error === null) {
    const list = { create: report.created, change: report.changed, delete: report.deleted }[action];
    list.push(label);
    return null;
  }
  if (error instanceof Refusal && error.status === 412) {
    report.conflicts.push(label);
    return 'Somebody has changed it since the plan.';
  }
  const sentence = (error as Error).message;
  report.failures.push({ label, sentence });
  return sentence;
};

const runnerOf =
  (client: Client, plan: Plan, report: ApplyReport, options: ApplyOptions) =>
  async (step: Step): Promise<void> => {
    try {
      await { create, change, delete: remove }[step.action](client, step, plan);
      record(report, step, null, options);
    } catch (error) {
      // Anything but a refusal of this step would fail in the same way for all further steps.
      if (!(error instanceof OperatorError) || (!(error instanceof Refusal) && !isLocal(error))) throw error;
      record(report, step, error, options);
    }
  };

/** An error that was raised before a request was sent, because another object is missing. */
class Missing extends OperatorError {}
const isLocal = (error: unknown): boolean => error instanceof Missing;

const bodyFor = (plan: Plan, step: Step): Fields => {
  try {
    const body = bodyOf(step.kind, step.fields, step.page, plan.directory);
    const isMarked = step.action === 'create' && plan.mark.kinds.has(step.kind);
    return isMarked ? { ...body, managed_by: plan.mark.name } : body;
  } catch (error) {
    throw error instanceof OperatorError ? new Missing(error.message) : error;
  }
};

const collectionOf = (plan: Plan, { kind, page }: Step): string => {
  const { path } = RESOURCES[kind];
  if (page === null) return path;
  const id = plan.directory.idOf('pages', page, null);
  if (id === null) throw new Missing(`The page "${page}" does not exist.`);
  return path.replace('{page_id}', id);
};

const created = (plan: Plan, step: Step, id: string): void => {
  plan.directory.add(namedAs(step.kind, step.fields, step.name, step.page), id, true);
};

const create = async (client: Client, step: Step, plan: Plan): Promise<void> => {
  const made = await client.write('POST', collectionOf(plan, step), bodyFor(plan, step));
  const id = isFields(made) ? made['id'] : undefined;
  if (typeof id !== 'string') throw new Refusal(500, 'The response has no id.');
  created(plan, step, id);
  if (step.kind === 'heartbeats') await setChannels(client, plan, id, [], step.fields['channels']);
};

const change = async (client: Client, step: Step, plan: Plan): Promise<void> => {
  const { id, revision, fields } = currentOf(step);
  const options = revision === null ? {} : { revision };
  await client.write('PUT', `${collectionOf(plan, step)}/${id}`, bodyFor(plan, step), options);
  if (step.kind === 'heartbeats') await setChannels(client, plan, id, fields['channels'], step.fields['channels']);
};

const remove = async (client: Client, step: Step): Promise<void> => {
  const { id, revision, pageId } = currentOf(step);
  const collection = RESOURCES[step.kind].path.replace('{page_id}', pageId ?? '');
  await client
    .write('DELETE', `${collection}/${id}`, undefined, revision === null ? {} : { revision })
    .catch((error: unknown) => {
      // Rules are deleted with their checks.
      if (!(error instanceof Refusal && error.status === 404)) throw error;
    });
};

const currentOf = ({ current }: Step): NonNullable<Step['current']> => {
  if (!current) throw new TypeError('Only a creation has no current object.');
  return current;
};

/** Adds and removes channels of a heartbeat. */
const setChannels = async (client: Client, plan: Plan, id: string, before: unknown, after: unknown): Promise<void> => {
  if (!Array.isArray(after)) return;
  const present = new Set(before as string[]);
  const idOf = (name: string): string => {
    const found = plan.directory.idOf('channels', name, null);
    if (found === null) throw new Missing(`The channel "${name}" does not exist.`);
    return found;
  };
  const path = `/v1/heartbeats/${id}/channels`;
  const added = (after as string[]).filter((name) => !present.has(name)).map(idOf);
  if (added.length > 0) await client.write('POST', path, { channel_ids: added });
  for (const name of present) {
    if (!after.includes(name)) await client.write('DELETE', `${path}/${idOf(name)}`);
  }
};

/** Creates checks with few requests. */
const createInBulk = async (
  client: Client,
  plan: Plan,
  steps: readonly Step[],
  report: ApplyReport,
  options: ApplyOptions,
): Promise<void> => {
  const items: { step: Step; body: Fields }[] = [];
  for (const step of steps) {
    try {
      items.push({ step, body: bodyFor(plan, step) });
    } catch (error) {
      if (!isLocal(error)) throw error;
      record(report, step, error, options);
    }
  }
  await createChecks(
    client,
    items.map(({ body }) => body),
    (index, outcome) => {
      const step = items[index]?.step;
      if (!step) return;
      if ('id' in outcome) created(plan, step, outcome.id);
      record(report, step, 'id' in outcome ? null : outcome.refusal, options);
    },
  );
};
