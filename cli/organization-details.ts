import { presentPlan, presentSubscription } from '../api/v1/organizations/plan-schema.ts';
import { currentInvoiceDetails, updateOrganization } from '../commands/organizations/organization-update.ts';
import { SELF_HOSTED } from '../domain/organization/plans.ts';
import type { OrganizationChanges, PlainInvoiceDetails } from '../domain/organization/update.ts';
import { instantOf } from '../domain/time.ts';
import { organizationDetails, type OrganizationDetails } from '../queries/organizations/organizations.ts';
import { readOrganizationUsage, type OrganizationUsage, type ResourceUsage } from '../queries/organizations/usage.ts';
import type { Config } from '../service/config/config.ts';
import { commandLineContext } from '../service/command-line.ts';
import { OperatorError } from '../service/operator-error.ts';
import { printable, table, type Output } from '../service/output.ts';
import { openKeys, siteOf, withCommands } from '../service/stores.ts';
import { openConfiguredReadModels } from './read-models.ts';
import { withOptionNames } from './option-errors.ts';

/** `uptrail organization show`: shows an organization, its plan and its usage. */
export const runShowOrganization = async (
  config: Config,
  { id, json }: { id: string; json: boolean },
  output: Output,
): Promise<void> => {
  const keys = await openKeys(siteOf(config), config);
  const { read, close } = await openConfiguredReadModels(config);
  try {
    const plans = config.plans ?? SELF_HOSTED;
    const scope = { read, organizationId: id, now: instantOf(Date.now()), plans, keys };
    const organization = await organizationDetails(scope, id, { billing: true });
    const usage = await readOrganizationUsage(scope);
    if (json) {
      await output.line(JSON.stringify(presentOrganization(organization, usage)));
      return;
    }
    const { subscribed_until: until, invoice_details: details } = organization;
    const lines = [
      `${organization.name} (${id}), created on ${organization.created_at.slice(0, 10)}`,
      `plan: ${usage.plan.name} (${usage.plan.id})${until === null ? '' : ` until ${until.slice(0, 19)} UTC`}`,
      `renews automatically: ${organization.auto_renew ? 'yes' : 'no'}`,
      ...Object.entries(details).flatMap(([field, text]) =>
        text === null ? [] : [`${LABELS[field] ?? field}: ${text}`],
      ),
      ...table(
        ['', 'USED', 'LIMIT'],
        KINDS.map((kind) => [kind, ...columnsOf(usage[kind])]),
      ),
    ];
    if (usage.shortest_interval !== null) lines.push(`shortest interval: ${usage.shortest_interval} s`);
    for (const line of lines) await output.line(printable(line));
  } finally {
    await close();
    await keys.close();
  }
};

/** Returns an organization in the form of the API. Money is shown as text, and the usage is included. */
export const presentOrganization = (organization: OrganizationDetails, usage: OrganizationUsage) => {
  const { id, name, auto_renew, invoice_details, credit_limit, credits, created_at, updated_at } = organization;
  const { current_subscription: subscription } = organization;
  return {
    id,
    name,
    auto_renew,
    current_subscription: subscription && presentSubscription(subscription),
    credit_limit,
    credits,
    invoice_details,
    created_at,
    updated_at,
    usage: { ...usage, plan: presentPlan(usage.plan) },
  };
};

const KINDS = ['credits', 'checks', 'pages', 'users'] as const;

const columnsOf = ({ used, limit }: ResourceUsage): string[] => [used.toString(), limit?.toString() ?? 'none'];

const LABELS: Readonly<Record<string, string>> = {
  legal_name: 'legal name',
  tax_id: 'tax id',
  address: 'address',
  email: 'e-mail for invoices',
};

/** Options of `uptrail organization update`. An absent option changes nothing, and an empty text clears a field. */
export interface OrganizationOptions {
  name?: string;
  autoRenew?: string;
  legalName?: string;
  taxId?: string;
  address?: string;
  email?: string;
}

const OPTIONS = {
  name: '--name',
  'invoice_details.legal_name': '--legal-name',
  'invoice_details.tax_id': '--tax-id',
  'invoice_details.address': '--address',
  'invoice_details.email': '--email',
};

/**
 * `uptrail organization update` and `rename`: change an organization.
 *
 * @param options the option of each field, for error messages
 */
export const runUpdateOrganization = async (
  config: Config,
  id: string,
  { name, autoRenew, ...texts }: OrganizationOptions,
  output: Output,
  options: Readonly<Record<string, string>> = OPTIONS,
): Promise<void> => {
  if (autoRenew !== undefined && autoRenew !== 'on' && autoRenew !== 'off') {
    throw new OperatorError('--auto-renew must be on or off.');
  }
  const given: [keyof PlainInvoiceDetails, string | undefined][] = [
    ['legal_name', texts.legalName],
    ['tax_id', texts.taxId],
    ['address', texts.address],
    ['email', texts.email],
  ];
  const keys = await openKeys(siteOf(config), config);
  try {
    await withOptionNames(options, () =>
      withCommands(config, async ({ handle }) => {
        const changes: OrganizationChanges<PlainInvoiceDetails> = {
          ...(name !== undefined && { name }),
          ...(autoRenew !== undefined && { auto_renew: autoRenew === 'on' }),
        };
        if (given.some(([, text]) => text !== undefined)) {
          const details = await currentInvoiceDetails({ handle, keys })(commandLineContext(id));
          for (const [field, text] of given) if (text !== undefined) details[field] = text === '' ? null : text;
          changes.invoice_details = details;
        }
        if (Object.keys(changes).length === 0) throw new OperatorError('Name at least one change, such as --name.');
        await updateOrganization({ handle, keys })(changes, commandLineContext(id));
      }),
    );
  } finally {
    await keys.close();
  }
  await output.line(`The organization ${id} was updated.`);
};
