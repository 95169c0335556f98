import { OBJECT_KINDS, type ObjectKind } from '../../api/configuration/entries.ts';
import { createSemaphore } from '../../domain/concurrency/mutex.ts';
import type { Fields } from '../../domain/fields.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { createChecks } from './bulk.ts';
import { CONCURRENT, Refusal, type Client } from './client.ts';
import { bodyFor, isMissing, noteCreated, perform } from './perform.ts';
import type { Plan } from './plan.ts';
import type { Step } from './step.ts';

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
  /** objects whose steps were not carried out because of other steps */
  skipped: string[];
}

/** The execution of a plan has ended before its last step. The message says why. */
export class Unfinished extends OperatorError {
  /** what was done until then; a step whose response was lost is among the skipped ones */
  readonly report: ApplyReport;

  constructor({ message }: OperatorError, report: ApplyReport) {
    super(message);
    this.report = report;
  }
}

/** A plan that is carried out, and the steps whose outcome is known. */
interface Execution {
  client: Client;
  plan: Plan;
  report: ApplyReport;
  settled: Set<Step>;
  done: NonNullable<ApplyOptions['done']>;
}

/**
 * Carries out a plan. A step that fails stops no other, except deletions and steps that need its object. Sends no
 * notifications.
 *
 * @throws Unfinished the key is not valid, or the service cannot be reached
 * @throws OperatorError values are missing
 */
export const applyPlan = async (
  client: Client,
  plan: Plan,
  { done = () => undefined }: ApplyOptions = {},
): Promise<ApplyReport> => {
  if (plan.needed.length > 0) throw new OperatorError('The plan lacks values.');
  const report: ApplyReport = {
    created: [],
    changed: [],
    deleted: [],
    unchanged: plan.unchanged,
    conflicts: [],
    failures: [],
    skipped: [],
  };
  const execution: Execution = { client, plan, report, settled: new Set(), done };
  try {
    await execute(execution);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    report.skipped = plan.steps.filter((step) => !execution.settled.has(step)).map(({ label }) => label);
    throw new Unfinished(error, report);
  }
  return report;
};

const execute = async (execution: Execution): Promise<void> => {
  const { plan, report, settled, done } = execution;
  const run = (step: Step): Promise<void> => runStep(execution, step);
  for (const kind of OBJECT_KINDS) {
    const steps = plan.steps.filter((step) => step.kind === kind && step.action !== 'delete');
    // Renamed objects free their names first.
    await eachOf(
      kind,
      steps.filter(({ action }) => action === 'change'),
      run,
    );
    const created = steps.filter(({ action }) => action === 'create');
    if (kind === 'checks') await createInBulk(execution, created);
    else await eachOf(kind, created, run);
  }
  const deletions = plan.steps.filter(({ action }) => action === 'delete');
  // A page whose new name the service has refused would be missing under its old name, too.
  const isComplete = report.failures.length + report.conflicts.length === 0;
  for (const step of deletions) {
    if (isComplete) await run(step);
    else {
      settled.add(step);
      report.skipped.push(step.label);
      done(step, 'Not deleted, because other steps were not carried out.');
    }
  }
};

/** Kinds whose objects go to the end of a list, so that their order matters. */
const ORDERED: ReadonlySet<ObjectKind> = new Set(['check_groups', 'component_groups', 'components']);

/** Runs steps of a kind. After an error no further step begins, and the error is thrown once no step runs any more. */
const eachOf = async (kind: ObjectKind, steps: readonly Step[], run: (step: Step) => Promise<void>): Promise<void> => {
  const limited = createSemaphore(ORDERED.has(kind) ? 1 : CONCURRENT);
  const errors: unknown[] = [];
  const runUnlessFailed = async (step: Step): Promise<void> => {
    if (errors.length === 0) await run(step).catch((error: unknown) => errors.push(error));
  };
  await Promise.all(steps.map((step) => limited(() => runUnlessFailed(step))));
  if (errors.length > 0) throw errors[0];
};

/** Records the outcome of a step. @param error null if the step was carried out */
const record = ({ report, settled, done }: Execution, step: Step, error: unknown): void => {
  settled.add(step);
  done(step, failureOf(report, step, error));
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

const runStep = async (execution: Execution, step: Step): Promise<void> => {
  const { client, plan } = execution;
  try {
    await perform(client, step, plan);
    record(execution, step, null);
  } catch (error) {
    // Anything but a refusal of this step would fail in the same way for all further steps.
    if (!(error instanceof OperatorError) || (!(error instanceof Refusal) && !isMissing(error))) throw error;
    record(execution, step, error);
  }
};

/** Creates checks with few requests. */
const createInBulk = async (execution: Execution, steps: readonly Step[]): Promise<void> => {
  const { client, plan } = execution;
  const items: { step: Step; body: Fields }[] = [];
  for (const step of steps) {
    try {
      items.push({ step, body: bodyFor(plan, step) });
    } catch (error) {
      if (!isMissing(error)) throw error;
      record(execution, step, error);
    }
  }
  await createChecks(
    client,
    items.map(({ body }) => body),
    (index, outcome) => {
      const step = items[index]?.step;
      if (!step) return;
      if ('id' in outcome) noteCreated(plan, step, outcome.id);
      record(execution, step, 'id' in outcome ? null : outcome.refusal);
    },
  );
};
