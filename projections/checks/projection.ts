import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { SecretBinding } from '../../domain/check/events.ts';
import { NO_GROUP } from '../../domain/check/state.ts';
import { markOf } from '../../domain/managed/managed-by.ts';
import { revisionOf } from '../../domain/revision.ts';
import type { Instant } from '../../domain/time.ts';
import { collection, defineProjection, type Model } from '../engine/fold/define.ts';
import {
  checkTagId,
  type CheckDocument,
  type CheckRowDocument,
  type CheckSecretBinding,
  type CheckTagDocument,
} from './documents.ts';
import { withRows } from './rows.ts';

type StatusEvent = RecordedEventOf<'CheckCameUp' | 'CheckWentDown' | 'CheckRecovered'>;

const withStatus = (
  { data: { check_id, at } }: StatusEvent,
  checks: Model<CheckDocument>,
  status: CheckDocument['status'],
  error_message: string | null = null,
): void => {
  const check = checks.get(check_id);
  if (check) checks.put({ ...check, status, status_since: at, error_message });
};

/** Returns the start of the check's own pause after a change. */
const pausedAt = (
  { active, paused_at }: CheckDocument,
  changes: { active?: boolean | undefined },
  now: Instant,
): Instant | null => {
  if (changes.active === undefined || changes.active === active) return paused_at;
  return changes.active ? null : now;
};

const changedBy = (event: RecordedEventOf<'CheckUpdated' | 'CheckGrouped' | 'CheckMuted' | 'CheckSecretsChanged'>) => ({
  revision: revisionOf(event),
  updated_at: event.metadata.recorded_at,
});

/** Converts bindings to the form of the API. Existing bindings keep their time. */
const bindingsOf = (
  secrets: readonly SecretBinding[],
  before: readonly CheckSecretBinding[],
  now: Instant,
): CheckSecretBinding[] =>
  secrets.map(({ id, secret_id, env_variable }) => {
    const created_at = before.find((binding) => binding.id === id)?.created_at ?? now;
    return { id, secret_id, env_variable, created_at };
  });

const tagIds = (checkId: string, ...tags: readonly (readonly string[] | undefined)[]): string[] => [
  ...new Set(tags.flatMap((some = []) => some.map((tag) => checkTagId(checkId, tag)))),
];

/** Replaces the indexed tags of a check. */
const putTags = (
  { id: check_id, organization_id, tags: before }: Pick<CheckDocument, 'id' | 'organization_id' | 'tags'>,
  tags: readonly string[],
  check_tags: Model<CheckTagDocument>,
): void => {
  for (const tag of before) if (!tags.includes(tag)) check_tags.delete(checkTagId(check_id, tag));
  for (const tag of tags) check_tags.put({ id: checkTagId(check_id, tag), organization_id, tag, check_id });
};

/** Returns the tags that a check has before an event. */
const tagsOfCheck = (
  { data: { check_id } }: RecordedEventOf<'CheckDeleted' | 'CheckRestored'>,
  { checks }: { checks: Pick<Model<CheckDocument>, 'get'> },
) => ({ check_tags: tagIds(check_id, checks.get(check_id)?.tags) });

/**
 * Checks and their status. A deleted check keeps its document, so that it can be restored and a single read shows that
 * its results are hidden. A deleted check is in no group and has no indexed tags.
 */
export const checks = defineProjection({
  name: 'checks',
  version: 8,
  log: 'main',
  collections: {
    checks: collection<CheckDocument>({
      indexes: [
        { organization_id: 1, deleted_at: 1, created_at: -1 },
        { group_id: 1, position: 1, name: 1 },
        // With this index, the checks of a group are counted without reading documents.
        { group_id: 1, active: 1, status: 1 },
      ],
    }),
    check_tags: collection<CheckTagDocument>({ indexes: [{ organization_id: 1, tag: 1, check_id: 1 }], small: true }),
    check_rows: collection<CheckRowDocument>({ indexes: [{ organization_id: 1 }], small: true }),
  },
  documents: (event) => {
    const { check_id } = event.data;
    const touched = { checks: [check_id], check_rows: [check_id] };
    switch (event.type) {
      case 'CheckCreated':
        return { ...touched, check_tags: tagIds(check_id, event.data.tags) };
      case 'CheckUpdated':
        return { ...touched, check_tags: tagIds(check_id, event.data.changes.tags, event.data.previous.tags) };
      default:
        return touched;
    }
  },
  further: {
    CheckDeleted: tagsOfCheck,
    CheckRestored: tagsOfCheck,
  },
  on: withRows({
    CheckCreated: (event, { checks, check_tags }) => {
      const { data, metadata } = event;
      const { check_id, organization_id, name, type, active, interval, timeout, host, url, port, parameters } = data;
      const { group_id, position, secrets, tags } = data;
      checks.put({
        id: check_id,
        organization_id,
        name,
        type,
        active,
        interval,
        timeout,
        host,
        url,
        port,
        status: 'pending',
        status_since: metadata.recorded_at,
        error_message: null,
        parameters,
        tags,
        ...markOf(data),
        secrets: bindingsOf(secrets, [], metadata.recorded_at),
        group_id,
        position,
        muted_until: null,
        revision: revisionOf(event),
        created_at: metadata.recorded_at,
        updated_at: metadata.recorded_at,
        paused_at: active ? null : metadata.recorded_at,
        parked_at: null,
        deleted_at: null,
      });
      putTags({ id: check_id, organization_id, tags: [] }, tags, check_tags);
    },
    CheckUpdated: (event, { checks, check_tags }) => {
      const { changes, check_id } = event.data;
      const check = checks.get(check_id);
      if (!check) return;
      const paused_at = pausedAt(check, changes, event.metadata.recorded_at);
      checks.put({ ...check, ...changes, paused_at, parked_at: null, ...changedBy(event) });
      if (changes.tags) putTags(check, changes.tags, check_tags);
    },
    CheckDeleted: ({ data, metadata }, { checks, check_tags }) => {
      const check = checks.get(data.check_id);
      if (!check) return;
      checks.put({ ...check, ...NO_GROUP, active: false, deleted_at: metadata.recorded_at });
      putTags(check, [], check_tags);
    },
    CheckRestored: ({ data: { check_id, active, group_id, position, secrets }, metadata }, { checks, check_tags }) => {
      const check = checks.get(check_id);
      if (!check) return;
      const bindings = bindingsOf(secrets, check.secrets, metadata.recorded_at);
      checks.put({ ...check, active, group_id, position, secrets: bindings, deleted_at: null });
      putTags({ ...check, tags: [] }, check.tags, check_tags);
    },
    CheckGrouped: (event, { checks }) => {
      const { check_id, group_id, position } = event.data;
      const check = checks.get(check_id);
      if (check) checks.put({ ...check, group_id, position, ...changedBy(event) });
    },
    CheckMuted: (event, { checks }) => {
      const { check_id, muted_until } = event.data;
      const check = checks.get(check_id);
      if (check) checks.put({ ...check, muted_until, ...changedBy(event) });
    },
    CheckSecretsChanged: (event, { checks }) => {
      const { check_id, secrets } = event.data;
      const check = checks.get(check_id);
      if (!check) return;
      const bindings = bindingsOf(secrets, check.secrets, event.metadata.recorded_at);
      checks.put({ ...check, secrets: bindings, parked_at: null, ...changedBy(event) });
    },
    CheckCameUp: (event, { checks }) => {
      withStatus(event, checks, 'up');
    },
    CheckWentDown: (event, { checks }) => {
      withStatus(event, checks, 'down', event.data.error_message);
    },
    CheckRecovered: (event, { checks }) => {
      withStatus(event, checks, 'up');
    },
    CheckParked: ({ data }, { checks }) => {
      const check = checks.get(data.check_id);
      if (check) checks.put({ ...check, parked_at: data.at });
    },
    CheckReleased: ({ data }, { checks }) => {
      const check = checks.get(data.check_id);
      if (check) checks.put({ ...check, parked_at: null });
    },
  }),
});
