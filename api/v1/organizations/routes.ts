import { Type, type Static } from '@sinclair/typebox';
import { organizationWithCredits, type OrganizationWithCredits } from '../../../queries/organizations.ts';
import { presenting } from '../../present.ts';
import { ok, route, type Route } from '../../route.ts';
import { Id, InstantOut, named, nullable } from '../../schema.ts';

const tag = 'Organizations';

const Plan = named(
  'Plan',
  Type.Object({
    id: Id,
    name: Type.String(),
    description: nullable(Type.String()),
    price: Type.Object({ value: Type.String({ examples: ['4990.00'] }), currency: Type.String() }),
    duration: Type.Integer({ description: 'days' }),
    limits: Type.Object({
      credits: nullable(Type.Integer()),
      checks: nullable(Type.Integer()),
      pages: nullable(Type.Integer()),
      users: nullable(Type.Integer()),
    }),
  }),
);

const Subscription = named(
  'Subscription',
  Type.Object({ id: Id, plan: Plan, start_date: InstantOut, end_date: InstantOut, created_at: InstantOut }),
);

/** An organization's credits for a UTC month, and those its results have used (decisions.md: Checks, Credits). */
const CreditBalance = Type.Object({
  limit: nullable(Type.Integer({ description: 'null: no limit' })),
  used: Type.Integer(),
  period_start: InstantOut,
  period_end: Type.String({ ...InstantOut, description: 'the first instant of the next month' }),
});

/** decisions.md: Organizations. */
const Organization = named(
  'Organization',
  Type.Object({
    id: Id,
    name: Type.String(),
    auto_renew: Type.Boolean(),
    current_subscription: nullable(Subscription),
    credits: CreditBalance,
    invoice_details: Type.Object({
      legal_name: nullable(Type.String()),
      tax_id: nullable(Type.String()),
      address: nullable(Type.String()),
      email: nullable(Type.String()),
    }),
    created_at: InstantOut,
    updated_at: InstantOut,
  }),
);
type Organization = Static<typeof Organization>;

const present = presenting(Organization, ['auto_renew', 'current_subscription', 'invoice_details']);

const presentOrganization = (organization: OrganizationWithCredits): Organization =>
  present(organization, {
    auto_renew: false,
    current_subscription: null,
    invoice_details: { legal_name: null, tax_id: null, address: null, email: null },
  });

export const organizationRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/organizations',
    summary: "The caller's organization, with what it used this month",
    tag,
    access: { needs: 'organizations.read' },
    answers: { 200: Type.Array(Organization) },
    handle: ({ scope }) =>
      ok(async () => [presentOrganization(await organizationWithCredits(scope, scope.organizationId))]),
  }),
  route({
    methods: ['get'],
    path: '/v1/organizations/{org_id}',
    summary: 'One organization, with what it used this month',
    tag,
    access: { needs: 'organizations.read' },
    params: Type.Object({ org_id: Id }),
    answers: { 200: Organization },
    handle: ({ params, scope }) =>
      ok(async () => presentOrganization(await organizationWithCredits(scope, params.org_id))),
  }),
];
