import { Type, type Static } from '@sinclair/typebox';
import type { EventDefinitions, EventsOf } from '../event.ts';

/** What has a quota of its own: what is limited in number, and has streams of its own. */
export const QuotaKind = Type.Union([Type.Literal('checks'), Type.Literal('pages')]);
export type QuotaKind = Static<typeof QuotaKind>;

const claim = {
  organization_id: Type.String(),
  kind: QuotaKind,
  /** id of what is to be created */
  claimed_id: Type.String(),
};

/** Events of an organization's places for one kind, in `quota-{organization_id}_{kind}`; only while the kind is limited. */
export const quotaEvents = {
  /** something is going to be created, for which there is a place */
  QuotaClaimed: {
    version: 1,
    data: Type.Object({
      ...claim,
      /** earlier claims of which nothing is open any more: what they were for is counted, or never comes */
      settled: Type.Array(Type.String()),
      /** the count that settled them is as of this position or later; 0: none did */
      counted_up_to: Type.Integer({ minimum: 0 }),
    }),
  },
  /** it was not created after all */
  QuotaReleased: { version: 1, data: Type.Object(claim) },
} as const satisfies EventDefinitions;

export type QuotaEvent = EventsOf<typeof quotaEvents>;
