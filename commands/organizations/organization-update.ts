import { MASKED_TEXT } from '../../domain/masking.ts';
import { IllegalState } from '../../domain/errors.ts';
import type { InvoiceDetails } from '../../domain/organization/events.ts';
import { existing, organizationDecider } from '../../domain/organization/state.ts';
import {
  organizationKey,
  requireInvoiceDetails,
  requireUnchangedMasks,
  updateOrganization as decideUpdate,
  type OrganizationChanges,
  type PlainInvoiceDetails,
} from '../../domain/organization/update.ts';
import { KeyForgotten, openText, type Keys } from '../../stores/keys/port.ts';
import type { CommandContext } from '../engine/context.ts';
import type { CommandDependencies } from '../dependencies.ts';

type UpdateDependencies = Pick<CommandDependencies, 'handle'> & { keys: Pick<Keys, 'seal' | 'open'> };

/**
 * Changes the context's organization. Seals the invoice details with the organization's key.
 *
 * @throws NotFound, Invalid
 */
export const updateOrganization =
  ({ handle, keys }: UpdateDependencies) =>
  async (
    { invoice_details: details, ...changes }: OrganizationChanges<PlainInvoiceDetails>,
    context: CommandContext,
  ): Promise<void> => {
    if (details) requireInvoiceDetails(details);
    await handle(
      context.organizationId,
      organizationDecider,
      async (organization) => {
        if (!details) return decideUpdate(organization, changes);
        const { id, invoiceDetails } = existing(organization);
        requireUnchangedMasks(details, invoiceDetails);
        const invoice_details = await sealed(keys, id, details, invoiceDetails);
        return decideUpdate(organization, { ...changes, invoice_details });
      },
      context,
    );
  };

const FIELDS: readonly (keyof InvoiceDetails)[] = ['legal_name', 'tax_id', 'address', 'email'];

const placeOf = (organizationId: string, field: string) => ({ organizationId, field: `invoice_details.${field}` });

/** Seals texts. Unchanged and masked texts keep their sealed form, so that sending them back changes nothing. */
const sealed = async (
  keys: Pick<Keys, 'seal' | 'open'>,
  organizationId: string,
  details: PlainInvoiceDetails,
  before: InvoiceDetails,
): Promise<InvoiceDetails> => {
  const after = { ...before };
  for (const field of FIELDS) {
    const text = details[field];
    const known = before[field];
    const place = placeOf(organizationId, field);
    if (text === MASKED_TEXT) continue;
    if (text !== null && known !== null && (await openText(known, place, keys)) === text) continue;
    try {
      after[field] = text === null ? null : await keys.seal(organizationKey(organizationId), text, place);
    } catch (error) {
      if (!(error instanceof KeyForgotten)) throw error;
      throw new IllegalState('The encryption key of this organization was deleted, so no new texts can be stored.');
    }
  }
  return after;
};

/** Returns the current invoice details of the context's organization. @throws NotFound */
export const currentInvoiceDetails =
  ({ handle, keys }: UpdateDependencies) =>
  async (context: CommandContext): Promise<PlainInvoiceDetails> => {
    const { id, invoiceDetails } = existing(await handle.load(context.organizationId, organizationDecider, context));
    const details: PlainInvoiceDetails = { legal_name: null, tax_id: null, address: null, email: null };
    for (const field of FIELDS) {
      const text = invoiceDetails[field];
      if (text) details[field] = await openText(text, placeOf(id, field), keys);
    }
    return details;
  };
