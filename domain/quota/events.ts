import { Type, type Static } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';

/**
 * The kinds of resources with a quota. A plan limits the number of resources of each kind. Each resource has its own
 * stream.
 */
export const QuotaKind = Type.Union([Type.Literal('checks'), Type.Literal('pages')]);
export type QuotaKind = Static<typeof QuotaKind>;

const claim = {
  organization_id: Type.String(),
  kind: QuotaKind,
  /** id of the resource to be created */
  claimed_id: Type.String(),
};

/**
 * Events of an organization's quota for one kind of resource, in `quota-{organization_id}_{kind}`. They are appended
 * only while the plan limits the number of such resources.
 */
export const quotaEvents = {
  /** A slot was claimed for a resource that is about to be created. */
  QuotaClaimed: {
    version: 1,
    data: Type.Object({
      ...claim,
      /** Ids of earlier claims that are settled: the resource is included in the count, or can never be created. */
      settled: Type.Array(Type.String()),
      /**
       * log position up to which resources had been counted when the claims in `settled` were settled; 0 if no claim
       * was settled
       */
      counted_up_to: Type.Integer({ minimum: 0 }),
    }),
  },
  /** The resource was not created, so its slot is free again. */
  QuotaReleased: { version: 1, data: Type.Object(claim) },
} as const satisfies EventDefinitions;

export type QuotaEvent = EventsOf<typeof quotaEvents>;
