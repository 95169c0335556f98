import { Type, type Static } from '@sinclair/typebox';
import { MASK } from '../../../domain/check/mask.ts';
import { LONGEST_NAME } from '../../../domain/organization/name.ts';
import { NOT_AN_EMAIL } from '../../../domain/mail/address.ts';
import { isInvoiceEmail, LONGEST_DETAILS } from '../../../domain/organization/update.ts';
import { checked, Id, InstantOut, named, nullable, text } from '../../schema.ts';
import { Subscription } from './plan.ts';

/** An organization's credits for a UTC month, and those its results have used (decisions.md: Checks, Credits). */
const CreditBalance = Type.Object({
  limit: nullable(Type.Integer({ description: 'null: no limit' })),
  used: Type.Integer(),
  period_start: InstantOut,
  period_end: Type.String({ ...InstantOut, description: 'the first instant of the next month' }),
});

/** decisions.md: Organizations. */
export const Organization = named(
  'Organization',
  Type.Object({
    id: Id,
    name: Type.String(),
    auto_renew: Type.Boolean(),
    current_subscription: nullable(Subscription),
    credits: CreditBalance,
    invoice_details: Type.Object(
      {
        legal_name: nullable(Type.String()),
        tax_id: nullable(Type.String()),
        address: nullable(Type.String()),
        email: nullable(Type.String()),
      },
      {
        description: `${MASK} for those that there are, to whoever may not read billing; sent back like that, they stay`,
      },
    ),
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);
export type Organization = Static<typeof Organization>;

const detail = (longest: number) => Type.Optional(nullable(text(longest, { min: 1 })));

/** Invoice details are replaced whole: what is absent in them is null afterwards, what is masked stays. */
export const OrganizationChange = Type.Object({
  name: Type.Optional(text(LONGEST_NAME, { min: 1 })),
  auto_renew: Type.Optional(Type.Boolean()),
  invoice_details: Type.Optional(
    Type.Object({
      legal_name: detail(LONGEST_DETAILS.legal_name),
      tax_id: detail(LONGEST_DETAILS.tax_id),
      address: detail(LONGEST_DETAILS.address),
      email: Type.Optional(nullable(checked(text(LONGEST_DETAILS.email), isInvoiceEmail, NOT_AN_EMAIL))),
    }),
  ),
});

const use = (description: string) =>
  Type.Object(
    { used: Type.Integer(), limit: nullable(Type.Integer({ description: 'null: no limit' })) },
    { description },
  );

/** docs/decisions.md: Plans. */
export const Usage = named(
  'Usage',
  Type.Object({
    plan: Type.Object({ id: Type.String({ examples: ['team'] }), name: Type.String() }),
    period_start: InstantOut,
    period_end: Type.String({ ...InstantOut, description: 'the first instant of the next month' }),
    credits: use('in the period'),
    checks: use('that exist, active or not'),
    pages: use('that exist'),
    users: use('who were invited or are active'),
    shortest_interval: nullable(Type.Integer({ description: 'seconds between runs of a check at least; null: any' })),
  }),
);
