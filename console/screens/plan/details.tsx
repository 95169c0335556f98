import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Schemas } from '../../api/openapi.d.ts';
import { Facts } from '../../parts/facts.tsx';
import { TextArea } from '../../parts/form/text-area.tsx';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { useUnsaved } from '../../router/unsaved.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { user } from '../../session/session.ts';
import { words } from '../../shell/language.ts';

type Organization = Schemas['Organization'];

/** The name and the invoice details of the organization. */
export const Details = (props: { organization: Organization; onChanged: () => void }): JSX.Element =>
  may('PATCH /v1/organizations/{org_id}') ? <Editor {...props} /> : <Shown organization={props.organization} />;

const Shown = ({ organization }: { organization: Organization }): JSX.Element => (
  <Facts facts={[[words.value.common.name, <bdi>{organization.name}</bdi>]]} />
);

const Editor = ({ organization, onChanged }: { organization: Organization; onChanged: () => void }): JSX.Element => {
  const { invoice_details: details } = organization;
  const drafts = {
    name: useSignal(organization.name),
    legal_name: useSignal(details.legal_name ?? ''),
    tax_id: useSignal(details.tax_id ?? ''),
    address: useSignal(details.address ?? ''),
    email: useSignal(details.email ?? ''),
  };
  const saved = useSignal(false);
  const kept = useSignal(JSON.stringify(drafts));
  const of = useSubmit();
  const says = words.value.plan;
  const release = useUnsaved(JSON.stringify(drafts) !== kept.value);
  // Only admins are allowed to change the name. Billing users are allowed to change the invoice details.
  const isAdmin = user.value?.role === 'admin';
  const send = async (): Promise<void> => {
    saved.value = false;
    const { name, ...invoice } = drafts;
    const invoice_details = Object.fromEntries(
      Object.entries(invoice).map(([field, value]) => [field, value.value.trim() || null]),
    );
    await call('PATCH /v1/organizations/{org_id}', {
      params: { org_id: organization.id },
      body: { ...(isAdmin && { name: name.value }), invoice_details },
    });
    kept.value = JSON.stringify(drafts);
    release();
    saved.value = true;
    onChanged();
  };
  return (
    <Form
      submit={words.value.common.save}
      of={of}
      onSubmit={send}
      buttons={
        <span class="fine" role="status">
          {saved.value ? words.value.common.saved : ''}
        </span>
      }
    >
      <Field
        label={words.value.common.name}
        name="name"
        value={drafts.name}
        disabled={!isAdmin}
        problem={of.problemOf('name')}
      />
      <p class="hint">{says.detailsText}</p>
      <Field
        label={says.legalName}
        name="legal_name"
        optional
        autocomplete="organization"
        value={drafts.legal_name}
        problem={of.problemOf('invoice_details.legal_name')}
      />
      <Field
        label={says.taxId}
        name="tax_id"
        optional
        value={drafts.tax_id}
        problem={of.problemOf('invoice_details.tax_id')}
      />
      <TextArea
        label={says.address}
        name="address"
        optional
        value={drafts.address}
        problem={of.problemOf('invoice_details.address')}
      />
      <Field
        label={words.value.signIn.email}
        name="email"
        type="email"
        optional
        value={drafts.email}
        problem={of.problemOf('invoice_details.email')}
      />
    </Form>
  );
};
