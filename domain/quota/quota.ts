import { unreachable, type Decider } from '../decider.ts';
import { Conflict } from '../errors.ts';
import type { QuotaEvent, QuotaKind } from './events.ts';

/** The open claims on an organization's quota for one kind. */
export interface Quota {
  /** ids of resources that are about to be created, or that were created and may be missing from the count */
  claims: ReadonlySet<string>;
  /** Log position that a count of resources must include. An older count might miss the resources of settled claims. */
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

/** The creation of a resource was too slow: another command took over its quota slot and closed its stream. */
export class QuotaSlotLost extends Conflict {}

export interface QuotaOf {
  organizationId: string;
  kind: QuotaKind;
}

/** Returns the id of a quota, for its stream name. */
export const quotaId = ({ organizationId, kind }: QuotaOf): string => `${organizationId}_${kind}`;

/** @param settled ids of claims that are settled, according to a count that includes the position `countedUpTo` */
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

/** Releases a claim. Returns no event if the claim is settled or does not exist. */
export const releaseSlot = (quota: Quota, { organizationId, kind }: QuotaOf, id: string): QuotaEvent[] =>
  quota.claims.has(id)
    ? [{ type: 'QuotaReleased', data: { organization_id: organizationId, kind, claimed_id: id } }]
    : [];
