import { unreachable, type Decider } from '../decider.ts';
import { isExisting, lifecycleOf } from '../existence.ts';
import { markOf, type ManagedObject } from '../managed/managed-by.ts';
import type { Instant } from '../time.ts';
import { endedBindings } from './released-bindings.ts';
import type { CheckEvent, CheckTypeName, SecretBinding, StoredParameters } from './events.ts';

/** The fields of a check that clients can change. */
export interface CheckSettings extends ManagedObject {
  name: string;
  active: boolean;
  /** seconds between runs */
  interval: number;
  /** seconds */
  timeout: number;
  host: string | null;
  url: string | null;
  port: number | null;
  parameters: StoredParameters;
  /** sorted, without duplicates */
  tags: string[];
}

/** Defaults of a new check, and of a definition without a check. */
export const CHECK_DEFAULTS = {
  active: true,
  timeout: 10,
  host: null,
  url: null,
  port: null,
  parameters: {},
  tags: [] as string[],
} as const satisfies Partial<CheckSettings>;

/** The group of a check, and the check's position in it, from 1. Both are null without a group. */
export interface GroupPlacement {
  group_id: string | null;
  position: number | null;
}

/** The placement of a check without a group. */
export const NO_GROUP: GroupPlacement = { group_id: null, position: null };

export interface LiveCheck {
  /** `pending` until the first result is recorded */
  status: 'pending' | 'up' | 'down';
  id: string;
  type: CheckTypeName;
  settings: CheckSettings;
  /** the group and position; the group might have been deleted meanwhile */
  groupPlacement: GroupPlacement;
  secrets: readonly SecretBinding[];
  /** By secret id, the highest closed claim number. The check refuses bindings with this claim or an older one. */
  closedClaims: ReadonlyMap<string, number>;
  /** when the result that most recently changed the status was recorded; null while pending */
  decidedAt: Instant | null;
  /** whether no run starts, because a run and its retry ended the probe process (parking.ts) */
  parked: boolean;
  /**
   * until when alerts of the check send no messages, possibly in the past; null if the check was never muted, or was
   * unmuted
   */
  mutedUntil: Instant | null;
}

/** A deleted check, which can be restored for a short time (restore.ts). */
export interface DeletedCheck {
  status: 'deleted';
  /** the state of the check before the deletion */
  was: LiveCheck;
  /** null for a deletion that can't be undone, because it was recorded by an event of version 1 */
  deletedAt: Instant | null;
}

export type Check =
  | { status: 'absent' }
  | LiveCheck
  | DeletedCheck
  /** The check was never created and can never be. */
  | { status: 'abandoned' };

export const isLive: (check: Check) => check is LiveCheck = isExisting;

export const { existing, requireAbsent, onExisting } = lifecycleOf<Check>('check');

/** Returns the state after a deletion. Every claim of the check is closed, so that no later binding can use it. */
const deleted = (live: LiveCheck, deletedAt: Instant | null): DeletedCheck => ({
  status: 'deleted',
  was: {
    ...live,
    closedClaims: new Map([
      ...live.closedClaims,
      ...live.secrets.map(({ secret_id, claim }) => [secret_id, claim] as const),
    ]),
  },
  deletedAt,
});

const evolve = (check: Check, event: CheckEvent): Check => {
  switch (event.type) {
    case 'CheckCreated': {
      const { check_id: id, type, name, active, interval, timeout, host, url, port, parameters } = event.data;
      const { group_id, position, secrets, tags } = event.data;
      const settings = { name, active, interval, timeout, host, url, port, parameters, tags, ...markOf(event.data) };
      return {
        status: 'pending',
        id,
        type,
        settings,
        groupPlacement: { group_id, position },
        secrets,
        closedClaims: new Map(),
        decidedAt: null,
        parked: false,
        mutedUntil: null,
      };
    }
    case 'CheckUpdated':
      return onExisting(check, (live) => ({
        ...live,
        settings: { ...live.settings, ...event.data.changes },
        parked: false,
      }));
    case 'CheckGrouped': {
      const { group_id, position } = event.data;
      return onExisting(check, (live) => ({ ...live, groupPlacement: { group_id, position } }));
    }
    case 'CheckMuted': {
      const { muted_until: mutedUntil } = event.data;
      return onExisting(check, (live) => ({ ...live, mutedUntil }));
    }
    case 'CheckSecretsChanged': {
      const { secrets, previous } = event.data;
      const ended = endedBindings(previous, secrets);
      return onExisting(check, (live) => ({
        ...live,
        secrets,
        parked: false,
        closedClaims: new Map([
          ...live.closedClaims,
          ...ended.map(({ secret_id, claim }) => [secret_id, claim] as const),
        ]),
      }));
    }
    case 'CheckSecretClaimClosed': {
      const { secret_id, claim } = event.data;
      const closed = (live: LiveCheck): LiveCheck => ({
        ...live,
        closedClaims: new Map([...live.closedClaims, [secret_id, claim]]),
      });
      return check.status === 'deleted' ? { ...check, was: closed(check.was) } : onExisting(check, closed);
    }
    case 'CheckCreationAbandoned':
      return { status: 'abandoned' };
    case 'CheckDeleted':
      return deleted(existing(check), event.data.deleted_at ?? null);
    case 'CheckRestored': {
      if (check.status !== 'deleted')
        throw new Error(`The check ${event.data.check_id} was restored, but is ${check.status}.`);
      const { group_id, position, secrets } = event.data;
      return { ...check.was, groupPlacement: { group_id, position }, secrets };
    }
    // Changes no state: the event only makes concurrent decisions fail with a conflict.
    case 'CheckRestorationAbandoned':
      return check;
    case 'CheckCameUp':
    case 'CheckRecovered':
      return onExisting(check, (live) => ({ ...live, status: 'up', decidedAt: event.data.at }));
    case 'CheckWentDown':
      return onExisting(check, (live) => ({ ...live, status: 'down', decidedAt: event.data.at }));
    case 'CheckParked':
      return onExisting(check, (live) => ({ ...live, parked: true }));
    case 'CheckReleased':
      return onExisting(check, (live) => ({ ...live, parked: false }));
    default:
      return unreachable(event);
  }
};

/** The decider of checks. A check consists of its definition, and of the status (up or down) of its target. */
export const checkDecider: Decider<Check, CheckEvent> = {
  category: 'check',
  initialState: { status: 'absent' },
  evolve,
};
