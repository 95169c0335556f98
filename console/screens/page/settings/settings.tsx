import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ConfirmDialog } from '../../../parts/overlays/confirm-dialog.tsx';
import { SelectField } from '../../../parts/form/select-field.tsx';
import { ListField } from '../../../parts/form/list-field.tsx';
import { Section } from '../../../parts/form/section.tsx';
import { navigate } from '../../../router/router.ts';
import { call } from '../../../session/call.ts';
import { may } from '../../../session/permissions.ts';
import { language, words } from '../../../shell/language.ts';
import { PageFlag, PageText } from '../fields.tsx';
import { mayChange, PageFormFrame } from '../page-form.tsx';
import type { TabProps } from '../tab-props.ts';
import { usePageForm } from '../use-page-form.ts';
import { languageOptions, zoneOptions } from './options.ts';

/** Maximum number of origins of a page (docs/reference/pages.md#embedding-origins). */
const MOST_ORIGINS = 20;

/** The settings of a page: language and time zone, visibility, content, and subscriptions. */
export const Settings = ({ page, onSaved, notify }: TabProps): JSX.Element => {
  const { pageSettings: says, common, pages } = words.value;
  const form = usePageForm(page, (saved) => {
    onSaved(saved);
    notify({ text: common.saved });
  });
  const disabled = !mayChange();
  const { of, origins } = form;
  const brokenOrigins = Array.from({ length: MOST_ORIGINS }, (_, index) => {
    const problem = of.problemOf(`allow_embedding.${index}`);
    return problem && `${origins.value[index] ?? ''}: ${problem}`;
  });
  return (
    <>
      <PageFormFrame form={form}>
        <Section legend={says.general}>
          <PageText form={form} name="name" label={common.name} required />
          <SelectField
            label={says.language}
            name="language"
            value={form.text('language')}
            options={languageOptions(language.value)}
            hint={says.languageHint}
            problem={of.problemOf('language')}
            disabled={disabled}
          />
          <SelectField
            label={says.timeZone}
            name="time_zone"
            value={form.text('time_zone')}
            options={zoneOptions(form.base.time_zone)}
            hint={says.timeZoneHint}
            problem={of.problemOf('time_zone')}
            disabled={disabled}
          />
          <PageText form={form} name="url" label={says.website} type="url" placeholder="https://example.com/" />
          <PageText form={form} name="support_url" label={says.support} type="url" />
          <div class="beside">
            <PageText form={form} name="city" label={says.city} />
            <PageText form={form} name="state" label={says.state} />
            <PageText form={form} name="country" label={says.country} />
          </div>
        </Section>
        <Section legend={says.visitors}>
          <PageFlag form={form} name="hidden_from_search" label={says.hiddenFromSearch} />
          <PageFlag form={form} name="viewers_must_be_team_members" label={says.teamOnly} hint={says.teamOnlyHint} />
          <PageText form={form} name="ip_restrictions" label={says.addresses} hint={says.addressesHint} />
          <ListField
            label={says.embedding}
            name="allow_embedding"
            value={origins}
            hint={says.embeddingHint}
            problem={[of.problemOf('allow_embedding'), ...brokenOrigins].filter(Boolean).join(' ') || null}
            placeholder="https://www.example.com"
            disabled={disabled}
            optional
          />
        </Section>
        <Section legend={says.shown}>
          <PageFlag form={form} name="show_measurements" label={says.measurements} hint={says.measurementsHint} />
          <PageFlag form={form} name="show_edits" label={says.edits} hint={says.editsHint} />
          <PageFlag form={form} name="allow_history" label={says.pastStates} hint={says.pastStatesHint} />
        </Section>
        <Section legend={says.subscriptions} text={says.subscriptionsText}>
          <PageFlag form={form} name="allow_page_subscribers" label={says.toPage} />
          <PageFlag form={form} name="allow_incident_subscribers" label={says.toIncident} />
          <PageFlag form={form} name="allow_email_subscribers" label={says.byEmail} />
          <PageFlag form={form} name="allow_sms_subscribers" label={says.bySms} />
          <PageFlag form={form} name="allow_webhook_subscribers" label={says.byWebhook} />
          <PageFlag form={form} name="allow_rss_atom_feeds" label={says.feeds} />
        </Section>
      </PageFormFrame>
      {may('DELETE /v1/pages/{page_id}') && (
        <section class="danger-zone">
          <h2>{says.dangerZone}</h2>
          <p>{pages.deleteText}</p>
          <DeletePage page={page} />
        </section>
      )}
    </>
  );
};

/** Deletes the page after the user has typed its name. */
const DeletePage = ({ page }: Pick<TabProps, 'page'>): JSX.Element => {
  const asked = useSignal(false);
  const { pageSettings: says, pages } = words.value;
  return (
    <>
      <button
        type="button"
        class="button danger"
        onClick={() => {
          asked.value = true;
        }}
      >
        {says.deletePage}
      </button>
      {asked.value && (
        <ConfirmDialog
          title={pages.deleteTitle}
          text={pages.deleteText}
          action={says.deletePage}
          danger
          name={page.name}
          onConfirm={async () => {
            await call('DELETE /v1/pages/{page_id}', { params: { page_id: page.id } });
            navigate('/pages');
          }}
          onClose={() => {
            asked.value = false;
          }}
        />
      )}
    </>
  );
};
