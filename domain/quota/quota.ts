import { unreachable, type Decider } from '../decider.ts';
import { Conflict } from '../errors.ts';
import type { QuotaEvent, QuotaKind } from './events.ts';

/** The claims on places for a kind of things in an organization that are open. */
export interface Quota {
  /** ids of what is to be created, or was, and may not be counted yet */
  claims: ReadonlySet<string>;
  /** position of the log that a count must have passed to hold what former claims were for */
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

/** Somebody else needed the place, and has closed the stream of what was to be created, which was slow. */
export class PlaceLost extends Conflict {}

export interface QuotaOf {
  organizationId: string;
  kind: QuotaKind;
}

/** Id of a quota: what follows the category in the name of its stream. */
export const quotaId = ({ organizationId, kind }: QuotaOf): string => `${organizationId}_${kind}`;

/** @param settled claims of which nothing is open any more, as a count up to that position tells */
export const claimPlace = (
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

/** Gives a claim up; nothing where it is settled or was never made. */
export const releasePlace = (quota: Quota, { organizationId, kind }: QuotaOf, id: string): QuotaEvent[] =>
  quota.claims.has(id)
    ? [{ type: 'QuotaReleased', data: { organization_id: organizationId, kind, claimed_id: id } }]
    : [];
