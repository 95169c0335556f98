import { Type, type Static } from '@sinclair/typebox';
import { NotFound } from '../../../domain/errors.ts';
import type { OrganizationDocument } from '../../../projections/organizations/documents.ts';
import { organizations } from '../../../projections/organizations/projection.ts';
import { presenting } from '../../present.ts';
import { ok, route, type Call, type Route } from '../../route.ts';
import { Id, InstantOut, named, nullable } from '../../schema.ts';
import { CreditBalance, creditBalance } from './credits.ts';

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

const shown = presenting(Organization, ['auto_renew', 'current_subscription', 'credits', 'invoice_details']);

type Asking = Pick<Call<unknown, unknown, unknown>, 'context' | 'read'>;

const present = async (organization: OrganizationDocument, asking: Asking): Promise<Organization> =>
  shown(organization, {
    auto_renew: false,
    current_subscription: null,
    credits: await creditBalance(organization.credit_limit, asking),
    invoice_details: { legal_name: null, tax_id: null, address: null, email: null },
  });

/** @throws NotFound it is not the caller's (spec.md: Authentication 4) */
const findOrganization = async (id: string, { context, read }: Asking): Promise<OrganizationDocument> => {
  const organization = id === context.organizationId ? await read(organizations).organizations.get(id) : null;
  if (!organization) throw new NotFound('There is no such organization.');
  return organization;
};

export const organizationRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/organizations',
    summary: "The caller's organization, with what it used this month",
    tag,
    access: { needs: 'organizations.read' },
    answers: { 200: Type.Array(Organization) },
    handle: (call) => ok(async () => [await present(await findOrganization(call.context.organizationId, call), call)]),
  }),
  route({
    methods: ['get'],
    path: '/v1/organizations/{org_id}',
    summary: 'One organization, with what it used this month',
    tag,
    access: { needs: 'organizations.read' },
    params: Type.Object({ org_id: Id }),
    answers: { 200: Organization },
    handle: ({ params, ...call }) => ok(async () => present(await findOrganization(params.org_id, call), call)),
  }),
];
