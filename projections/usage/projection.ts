import type { RecordedEventOf } from '../../domain/event-types.ts';
import type { QuotaKind } from '../../domain/quota/events.ts';
import { collection, defineProjection, type Models } from '../engine/fold/define.ts';

/** The number of an organization's checks and pages. The id is that of the organization. */
export interface UsageDocument {
  id: string;
  checks: number;
  pages: number;
  /** Positions of the newest events that are included in the counts. */
  checks_position: number;
  pages_position: number;
  /** Number of times that a subscription has started or ended. */
  plan_changes: number;
}

/** A check or page that exists. The id is {@link countedId}. */
export interface CountedDocument {
  id: string;
  /** Position of the event that created the check or page, or of the newest event that restored it. */
  position: number;
}

/** An organization whose plan has changed: an item of the list of a reactor (reactors/plan-credits.ts). */
export interface ChangedPlanDocument {
  /** Id of the organization. */
  id: string;
  changed_position: number;
}

export const countedId = (kind: QuotaKind, id: string): string => `${kind}/${id}`;

export const emptyUsage = (organizationId: string): UsageDocument => ({
  id: organizationId,
  checks: 0,
  pages: 0,
  checks_position: 0,
  pages_position: 0,
  plan_changes: 0,
});

const collections = {
  usage: collection<UsageDocument>({ indexes: [] }),
  counted: collection<CountedDocument>({ indexes: [] }),
  changed_plans: collection<ChangedPlanDocument>({ indexes: [{ changed_position: 1 }] }),
};
type UsageModels = Models<typeof collections>;

type Counting = RecordedEventOf<'CheckCreated' | 'CheckRestored' | 'CheckDeleted' | 'PageCreated' | 'PageDeleted'>;
type PlanChange = RecordedEventOf<'SubscriptionStarted' | 'SubscriptionEnded'>;

const organizationOf = ({ metadata }: Counting): string => metadata.organization_id ?? '';

const thingOf = (event: Counting): { kind: QuotaKind; id: string; by: 1 | -1 } => {
  switch (event.type) {
    case 'CheckCreated':
    case 'CheckRestored':
      return { kind: 'checks', id: event.data.check_id, by: 1 };
    case 'CheckDeleted':
      return { kind: 'checks', id: event.data.check_id, by: -1 };
    case 'PageCreated':
      return { kind: 'pages', id: event.data.page_id, by: 1 };
    case 'PageDeleted':
      return { kind: 'pages', id: event.data.page_id, by: -1 };
  }
};

const count = (event: Counting, { usage, counted }: UsageModels): void => {
  const { kind, id, by } = thingOf(event);
  const organization = organizationOf(event);
  const before = usage.get(organization) ?? emptyUsage(organization);
  const position = Number(event.position);
  usage.put({ ...before, [kind]: before[kind] + by, [`${kind}_position`]: position });
  if (by === 1) counted.put({ id: countedId(kind, id), position });
  else counted.delete(countedId(kind, id));
};

const changePlan = ({ data, position }: PlanChange, { usage, changed_plans }: UsageModels): void => {
  const { organization_id: id } = data;
  const before = usage.get(id) ?? emptyUsage(id);
  usage.put({ ...before, plan_changes: before.plan_changes + 1 });
  changed_plans.put({ id, changed_position: Number(position) });
};

/** The numbers of those resources of an organization that plans limit. */
export const usage = defineProjection({
  name: 'usage',
  version: 1,
  log: 'main',
  collections,
  documents: (event) => {
    if (event.type === 'SubscriptionStarted' || event.type === 'SubscriptionEnded') {
      const { organization_id: id } = event.data;
      return { usage: [id], changed_plans: [id] };
    }
    const { kind, id } = thingOf(event);
    return { usage: [organizationOf(event)], counted: [countedId(kind, id)] };
  },
  on: {
    CheckCreated: count,
    CheckRestored: count,
    CheckDeleted: count,
    PageCreated: count,
    PageDeleted: count,
    SubscriptionStarted: changePlan,
    SubscriptionEnded: changePlan,
  },
});
