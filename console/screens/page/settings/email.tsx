import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Failure } from '../../../api/failure.ts';
import { useLive, type LiveSource } from '../../../live/live-data.ts';
import { FailureLine } from '../../../parts/failure-line.tsx';
import { FailurePanel } from '../../../parts/failure-panel.tsx';
import { Field } from '../../../parts/form/field.tsx';
import { Form } from '../../../parts/form/form.tsx';
import { Section } from '../../../parts/form/section.tsx';
import { useSubmit } from '../../../parts/form/use-submit.ts';
import { Loading } from '../../../parts/loading.tsx';
import { call } from '../../../session/call.ts';
import { may } from '../../../session/permissions.ts';
import { words } from '../../../shell/language.ts';
import { PageText } from '../fields.tsx';
import { PageFormFrame } from '../page-form.tsx';
import type { TabProps } from '../tab-props.ts';
import { usePageForm } from '../use-page-form.ts';
import { DnsRecords, type EmailDomain } from './dns-records.tsx';

/** Returns a source that loads the sending domain of a page's e-mails. The domain is null if there is none. */
const sourceOf = (page_id: string): LiveSource<{ domain: EmailDomain | null }> => ({
  load: async (signal) => {
    try {
      return { domain: await call('GET /v1/pages/{page_id}/email-domain', { params: { page_id } }, { signal }) };
    } catch (error) {
      if (error instanceof Failure && error.status === 404) return { domain: null };
      throw error;
    }
  },
  resources: ['email_domain'],
  merge: (value, changes) => (changes.some((change) => change.page_id === page_id) ? null : value),
});

/** The settings for e-mails about a page: their content and their sending domain. */
export const Email = ({ page, onSaved, notify }: TabProps): JSX.Element => {
  const { pageSettings, common } = words.value;
  const says = pageSettings.email;
  const form = usePageForm(page, (saved) => {
    onSaved(saved);
    notify({ text: common.saved });
  });
  return (
    <>
      <PageFormFrame form={form}>
        <Section legend={says.messages}>
          <PageText form={form} name="notifications_from_email" label={says.from} hint={says.fromHint} type="email" />
          <PageText form={form} name="notifications_email_footer" label={says.footer} hint={says.footerHint} rows={3} />
        </Section>
      </PageFormFrame>
      <section class="email-domain">
        <h2>{says.sender}</h2>
        <p class="hint">{says.senderText}</p>
        <SendingDomain page_id={page.id} />
      </section>
    </>
  );
};

const SendingDomain = ({ page_id }: { page_id: string }): JSX.Element => {
  const { loaded, again, change } = useLive(sourceOf(page_id), [page_id]);
  const isEditing = useSignal(false);
  const { pageSettings, common } = words.value;
  const says = pageSettings.email;
  if (loaded.status === 'loading') return <Loading />;
  if (!loaded.value)
    return loaded.status === 'failed' ? <FailurePanel failure={loaded.failure} again={again} /> : <Loading />;
  const { domain } = loaded.value;
  const mayChange = may('POST /v1/pages/{page_id}/email-domain/records');
  const show = (next: EmailDomain): void => {
    change(() => ({ domain: next }));
  };
  if (!domain && !mayChange) return <p>{common.none}</p>;
  return (
    <>
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      {domain && <DnsRecords domain={domain} onChecked={show} />}
      {mayChange &&
        (isEditing.value || !domain ? (
          <SenderForm
            page_id={page_id}
            domain={domain}
            onSet={(next) => {
              isEditing.value = false;
              show(next);
            }}
            {...(domain && {
              onCancel: () => {
                isEditing.value = false;
              },
            })}
          />
        ) : (
          <button
            type="button"
            class="button"
            onClick={() => {
              isEditing.value = true;
            }}
          >
            {says.change}
          </button>
        ))}
    </>
  );
};

interface SenderFormProps {
  page_id: string;
  domain: EmailDomain | null;
  onSet: (domain: EmailDomain) => void;
  onCancel?: () => void;
}

/** The form for the domain and the sender. */
const SenderForm = ({ page_id, domain, onSet, onCancel }: SenderFormProps): JSX.Element => {
  const name = useSignal(domain?.domain ?? '');
  const sender = useSignal(domain?.from_email ?? '');
  const of = useSubmit();
  const { pageSettings } = words.value;
  const says = pageSettings.email;
  return (
    <div class="page-form">
      <Form
        submit={says.set}
        of={of}
        onSubmit={async () => {
          const body = { domain: name.value.trim(), from_email: sender.value.trim() };
          onSet(await call('POST /v1/pages/{page_id}/email-domain/records', { params: { page_id }, body }));
        }}
        {...(onCancel && { onCancel })}
      >
        {domain && <p class="hint">{says.changeText}</p>}
        <Field
          label={says.domain}
          name="domain"
          value={name}
          problem={of.problemOf('domain')}
          placeholder="example.com"
        />
        <Field
          label={says.address}
          name="from_email"
          type="email"
          value={sender}
          hint={says.addressHint}
          problem={of.problemOf('from_email')}
          placeholder="status@example.com"
        />
      </Form>
    </div>
  );
};
