import { isFields, type Fields } from '../../domain/fields.ts';
import { OperatorError } from '../../service/operator-error.ts';
import { bodyOf } from './bodies.ts';
import { Refusal, type Client } from './client.ts';
import { namedAs } from './current-objects.ts';
import type { Plan } from './plan.ts';
import { RESOURCES } from './resources.ts';
import type { Step } from './step.ts';

/** Another object is missing, so that no request was sent. */
class Missing extends OperatorError {}
/** Whether an error was raised because another object is missing, before a request was sent. */
export const isMissing = (error: unknown): boolean => error instanceof Missing;

/** Returns the body of the request of a step. @throws Missing */
export const bodyFor = (plan: Plan, step: Step): Fields => {
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

/** Notes the id of an object that was created. */
export const noteCreated = (plan: Plan, step: Step, id: string): void => {
  plan.directory.add(namedAs(step.kind, step.fields, step.name, step.page), id, true);
};

/** Carries out a step. @throws Refusal | Missing the step has failed; OperatorError: any other step would fail as well */
export const perform = (client: Client, step: Step, plan: Plan): Promise<void> =>
  ({ create, change, delete: remove })[step.action](client, step, plan);

const create = async (client: Client, step: Step, plan: Plan): Promise<void> => {
  const made = await client.write('POST', collectionOf(plan, step), bodyFor(plan, step));
  const id = isFields(made) ? made['id'] : undefined;
  if (typeof id !== 'string') throw new Refusal(500, 'The response has no id.');
  noteCreated(plan, step, id);
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
