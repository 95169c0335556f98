import type { EventType, RecordedEventOf } from '../../domain/event-types.ts';
import { markOf } from '../../domain/managed/managed-by.ts';
import type { Model } from '../engine/fold/define.ts';
import { LONGEST_MESSAGE, type CheckDocument, type CheckRowDocument, type CheckTagDocument } from './documents.ts';

interface CheckModels {
  checks: Model<CheckDocument>;
  check_rows: Model<CheckRowDocument>;
  check_tags: Model<CheckTagDocument>;
}

type Handlers<T extends EventType> = { [K in T]: (event: RecordedEventOf<K>, models: CheckModels) => void };

/** Wraps handlers of check events, so that each handler that stores a check also stores the row of the check. */
export const withRows = <T extends EventType>(handlers: Handlers<T>): Handlers<T> => {
  const wrapped = Object.entries<(event: never, models: CheckModels) => void>(handlers).map(([type, handle]) => [
    type,
    (event: never, models: CheckModels) => {
      handle(event, { ...models, checks: storingRows(models) });
    },
  ]);
  return Object.fromEntries(wrapped) as Handlers<T>;
};

const storingRows = ({ checks, check_rows }: Pick<CheckModels, 'checks' | 'check_rows'>): Model<CheckDocument> => ({
  found: checks.found,
  get: (id) => checks.get(id),
  put: (check) => {
    checks.put(check);
    if (check.deleted_at === null) check_rows.put(rowOf(check));
    else check_rows.delete(check.id);
  },
  delete: (id) => {
    checks.delete(id);
    check_rows.delete(id);
  },
});

const rowOf = (check: CheckDocument): CheckRowDocument => ({
  id: check.id,
  organization_id: check.organization_id,
  name: check.name,
  type: check.type,
  group_id: check.group_id,
  tags: check.tags,
  active: check.active,
  status: check.status,
  since: check.status_since,
  error_message: check.error_message === null ? null : beginningOf(check.error_message),
  paused_at: check.paused_at,
  target: targetOf(check),
  ...markOf(check),
});

const targetOf = ({ url, host, port }: Pick<CheckDocument, 'url' | 'host' | 'port'>): string =>
  url ?? (host !== null && port !== null ? `${host}:${port}` : (host ?? ''));

/** Truncates a text, and adds an ellipsis if something was cut off. */
const beginningOf = (text: string): string => {
  const characters = text.length <= LONGEST_MESSAGE ? [] : Array.from(text);
  return characters.length <= LONGEST_MESSAGE ? text : `${characters.slice(0, LONGEST_MESSAGE - 1).join('')}…`;
};
