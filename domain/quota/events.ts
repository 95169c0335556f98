import { Type, type Static } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';

/** The kinds of resources with a quota: those that plans limit in number and that have separate streams. */
export const QuotaKind = Type.Union([Type.Literal('checks'), Type.Literal('pages')]);
export type QuotaKind = Static<typeof QuotaKind>;

const claim = {
  organization_id: Type.String(),
  kind: QuotaKind,
  /** id of the resource to be created */
  claimed_id: Type.String(),
};

/** Events of an organization's quota for one kind, in `quota-{organization_id}_{kind}`; only while the plan limits the kind. */
export const quotaEvents = {
  /** a slot is claimed for a resource that is about to be created */
  QuotaClaimed: {
    version: 1,
    data: Type.Object({
      ...claim,
      /** earlier claims that are settled: their resource is counted, or can never be created */
      settled: Type.Array(Type.String()),
      /** the count that settled them includes this position; 0 if none was settled */
      counted_up_to: Type.Integer({ minimum: 0 }),
    }),
  },
  /** the resource was not created */
  QuotaReleased: { version: 1, data: Type.Object(claim) },
} as const satisfies EventDefinitions;

export type QuotaEvent = EventsOf<typeof quotaEvents>;
