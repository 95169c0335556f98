import { Type, type Static } from '@sinclair/typebox';
import { MASKED_TEXT } from '../../../domain/masking.ts';
import { MAX_ORGANIZATION_NAME } from '../../../domain/organization/name.ts';
import { NOT_AN_EMAIL } from '../../../domain/mail/address.ts';
import { isInvoiceEmail, MAX_INVOICE_DETAIL_LENGTHS } from '../../../domain/organization/update.ts';
import { withCheck, Id, InstantOut, namedSchema, nullable, text } from '../../schema.ts';
import { Subscription } from './plan-schema.ts';

/** The credits of an organization in a calendar month (UTC), see docs/reference/credits.md#where-credits-are-shown. */
const CreditBalance = Type.Object({
  limit: nullable(Type.Integer({ description: 'Null for no limit.' })),
  used: Type.Integer(),
  period_start: InstantOut,
  period_end: Type.String({ ...InstantOut, description: 'The first instant of the next month.' }),
});

/** See docs/reference/organizations.md#organization-fields. */
export const Organization = namedSchema(
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
        description: `Callers who may not read billing data see ${MASKED_TEXT} in place of values. Values sent back masked stay unchanged.`,
      },
    ),
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);
export type Organization = Static<typeof Organization>;

const detail = (longest: number) => Type.Optional(nullable(text(longest, { min: 1 })));

/** Body of a change. Invoice details are replaced as a whole: absent fields become null, masked ones stay unchanged. */
export const OrganizationChange = Type.Object({
  name: Type.Optional(text(MAX_ORGANIZATION_NAME, { min: 1 })),
  auto_renew: Type.Optional(Type.Boolean()),
  invoice_details: Type.Optional(
    Type.Object({
      legal_name: detail(MAX_INVOICE_DETAIL_LENGTHS.legal_name),
      tax_id: detail(MAX_INVOICE_DETAIL_LENGTHS.tax_id),
      address: detail(MAX_INVOICE_DETAIL_LENGTHS.address),
      email: Type.Optional(nullable(withCheck(text(MAX_INVOICE_DETAIL_LENGTHS.email), isInvoiceEmail, NOT_AN_EMAIL))),
    }),
  ),
});

const use = (description: string) =>
  Type.Object(
    { used: Type.Integer(), limit: nullable(Type.Integer({ description: 'Null for no limit.' })) },
    { description },
  );

/** See docs/reference/plans.md#usage. */
export const Usage = namedSchema(
  'Usage',
  Type.Object({
    plan: Type.Object({ id: Type.String({ examples: ['team'] }), name: Type.String() }),
    period_start: InstantOut,
    period_end: Type.String({ ...InstantOut, description: 'The first instant of the next month.' }),
    credits: use('Credits used in the period.'),
    checks: use('Existing checks, active or not.'),
    pages: use('Existing pages.'),
    users: use('Users who are invited or active.'),
    shortest_interval: nullable(
      Type.Integer({ description: 'Minimum of seconds between runs of a check. Null for no limit.' }),
    ),
  }),
);
