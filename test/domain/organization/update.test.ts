import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Invalid, NotFound } from '../../../domain/errors.ts';
import { NO_INVOICE_DETAILS, organizationDecider } from '../../../domain/organization/state.ts';
import { requireInvoiceDetails, updateOrganization } from '../../../domain/organization/update.ts';
import { specification } from '../specification.ts';
import { ACME, updated } from './examples.ts';

const test = suite('changes of an organization');
const created = { type: 'OrganizationCreated', data: { organization_id: ACME, name: 'Acme' } } as const;
const organization = specification(organizationDecider);
const details = { ...NO_INVOICE_DETAILS, legal_name: { key: `organization-${ACME}`, sealed: 'Acme Ltd' } };

test('an organization can change its name, renewal and invoice details', () => {
  organization
    .given(created)
    .when((it) => updateOrganization(it, { name: ' Acme Ltd ', auto_renew: true }))
    .then(updated);
  organization
    .given(created)
    .when((it) => updateOrganization(it, { invoice_details: details }))
    .then({
      type: 'OrganizationUpdated',
      data: {
        organization_id: ACME,
        changes: { invoice_details: details },
        previous: { invoice_details: NO_INVOICE_DETAILS },
      },
    });
});

test('an organization with equal values is unchanged', () => {
  organization
    .given(created, updated)
    .when((it) => updateOrganization(it, { name: 'Acme Ltd', auto_renew: true, invoice_details: NO_INVOICE_DETAILS }))
    .thenNothing();
});

test('a change of an organization needs an existing organization and a name with visible characters', () => {
  organization
    .given()
    .when((it) => updateOrganization(it, { auto_renew: true }))
    .throws(NotFound);
  for (const name of ['', ' ', 'a'.repeat(101)]) {
    organization
      .given(created)
      .when((it) => updateOrganization(it, { name }))
      .throws(Invalid);
  }
});

test("the error for an organization names all invoice details that can't be stored", () => {
  const none = { legal_name: null, tax_id: null, address: null, email: null };
  requireInvoiceDetails({ ...none, legal_name: 'Acme Ltd', email: 'bills@acme.example' });
  try {
    requireInvoiceDetails({ legal_name: ' ', tax_id: '1'.repeat(51), address: 'x'.repeat(500), email: 'bills' });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, Invalid);
    assert.equal(Object.keys((error as Invalid).errors.json ?? {}), [
      'invoice_details.legal_name',
      'invoice_details.tax_id',
      'invoice_details.email',
    ]);
  }
});

test.run();
