import { unreachable, type Decider } from '../decider.ts';
import { Conflict } from '../errors.ts';
import type { QuotaEvent, QuotaKind } from './events.ts';

/** The open claims on an organization's quota for one kind. */
export interface Quota {
  /** ids of resources that are about to be created, or were created and may not be counted yet */
  claims: ReadonlySet<string>;
  /** log position that a count must include, so that it contains the resources of settled claims */
  countedUpTo: number;
}

const evolve = (quota: Quota, event: QuotaEvent): Quota => {
  const claims = new Set(quota.claims);
  switch (event.type) {
    case 'QuotaClaimed':
      for (const id of event.data.settled) claims.delete(id);
      claims.add(event.data.claimed_id);
      return { claims, countedUpTo: Math.max(quota.countedUpTo, event.data.counted_up_to) };
    case 'QuotaReleased':
      claims.delete(event.data.claimed_id);
      return { ...quota, claims };
    default:
      return unreachable(event);
  }
};

export const quotaDecider: Decider<Quota, QuotaEvent> = {
  category: 'quota',
  initialState: { claims: new Set(), countedUpTo: 0 },
  evolve,
};

/** Another command took over the quota slot and closed the stream of the resource, since its creation was too slow. */
export class QuotaSlotLost extends Conflict {}

export interface QuotaOf {
  organizationId: string;
  kind: QuotaKind;
}

/** The id of a quota in its stream name. */
export const quotaId = ({ organizationId, kind }: QuotaOf): string => `${organizationId}_${kind}`;

/** @param settled claims that are settled, according to a count up to `countedUpTo` */
export const claimSlot = (
  { organizationId, kind }: QuotaOf,
  id: string,
  settled: readonly string[],
  countedUpTo: number,
): Extract<QuotaEvent, { type: 'QuotaClaimed' }> => ({
  type: 'QuotaClaimed',
  data: {
    organization_id: organizationId,
    kind,
    claimed_id: id,
    settled: [...settled],
    counted_up_to: settled.length === 0 ? 0 : countedUpTo,
  },
});

/** Releases a claim. Does nothing if it is settled or does not exist. */
export const releaseSlot = (quota: Quota, { organizationId, kind }: QuotaOf, id: string): QuotaEvent[] =>
  quota.claims.has(id)
    ? [{ type: 'QuotaReleased', data: { organization_id: organizationId, kind, claimed_id: id } }]
    : [];
