import { Type } from '@sinclair/typebox';
import { updateOrganization } from '../../../commands/organizations/organization-update.ts';
import { Forbidden } from '../../../domain/errors.ts';
import {
  findOrganization,
  organizationDetails,
  type OrganizationDetails,
} from '../../../queries/organizations/organizations.ts';
import { readOrganizationUsage } from '../../../queries/organizations/usage.ts';
import { PERMISSIONS, type May } from '../../permissions.ts';
import { createPresenter } from '../../presenter.ts';
import { ok, route, type Route } from '../../route.ts';
import { Id } from '../../schema.ts';
import { Plan, presentPlan, presentSubscription } from './plan-schema.ts';
import { Organization, OrganizationChange, Usage } from './schema.ts';

const tag = 'Organizations';

const pick = createPresenter(Organization, ['current_subscription']);

const present = (organization: OrganizationDetails): Organization => {
  const { current_subscription: current } = organization;
  return pick(organization, { current_subscription: current && presentSubscription(current) });
};

/** Returns whether the caller sees billing data (docs/reference/organizations.md#billing-fields). */
const sees = (may: May) => ({ billing: may('billing.read') });

const OrganizationParams = Type.Object({ org_id: Id });

export const organizationRoutes: Route[] = [
  route({
    methods: ['get'],
    path: '/v1/organizations',
    summary: 'List organizations',
    description: "The list contains only the caller's organization, with its usage of this month.",
    tag,
    access: { needs: 'organizations.read' },
    confidential: true,
    responses: { 200: Type.Array(Organization) },
    handle: ({ scope, may }) =>
      ok(async () => [present(await organizationDetails(scope, scope.organizationId, sees(may)))]),
  }),
  route({
    methods: ['get'],
    path: '/v1/organizations/{org_id}',
    summary: 'Get an organization',
    description: 'The response contains its usage of this month.',
    tag,
    access: { needs: 'organizations.read' },
    confidential: true,
    params: OrganizationParams,
    responses: { 200: Organization },
    handle: ({ params, scope, may }) =>
      ok(async () => present(await organizationDetails(scope, params.org_id, sees(may)))),
  }),
  route({
    methods: ['put', 'patch'],
    path: '/v1/organizations/{org_id}',
    summary: 'Change an organization',
    description: 'Absent fields stay unchanged. Changing the name needs the role admin.',
    tag,
    // `billing.write` suffices for all fields except `name`, for which the handler requires another permission.
    access: { needs: 'billing.write' },
    confidential: true,
    params: OrganizationParams,
    body: OrganizationChange,
    responses: { 200: Organization },
    find: ({ scope, params }) => findOrganization(scope, params.org_id),
    handle: async ({ params, body, scope, context, commands, may, found }) => {
      const { name, auto_renew, invoice_details } = body;
      // Clients send back whole objects, so an unchanged name needs no permission.
      if (name !== undefined && name.trim() !== found.name && !may('organizations.write')) {
        throw new Forbidden(`Changing "name" needs the role ${PERMISSIONS['organizations.write'].join(' or ')}.`);
      }
      const details = { legal_name: null, tax_id: null, address: null, email: null, ...invoice_details };
      await commands.bind(updateOrganization)(
        {
          ...(name !== undefined && { name }),
          ...(auto_renew !== undefined && { auto_renew }),
          ...(invoice_details && { invoice_details: details }),
        },
        context,
      );
      return ok(async () => present(await organizationDetails(scope, params.org_id, sees(may))));
    },
  }),
  route({
    methods: ['get'],
    path: '/v1/plans',
    summary: 'List plans',
    description: 'Plans have prices and limits. Null means no limit.',
    tag,
    access: { needs: 'organizations.read' },
    responses: { 200: Type.Array(Plan) },
    handle: ({ scope }) => ok(async () => scope.plans.all.map(presentPlan)),
  }),
  route({
    methods: ['get'],
    path: '/v1/usage',
    summary: 'Get usage',
    description: 'Shows what the organization uses, and the limits of its plan.',
    tag,
    access: { needs: 'organizations.read' },
    responses: { 200: Usage },
    handle: ({ scope }) =>
      ok(async () => {
        const { plan, ...used } = await readOrganizationUsage(scope);
        return { plan: { id: plan.id, name: plan.name }, ...used };
      }),
  }),
];
