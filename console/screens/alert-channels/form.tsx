import type { JSX } from 'preact';
import { ChangedMeanwhile } from '../../parts/form/changed-meanwhile.tsx';
import { SelectField } from '../../parts/form/select-field.tsx';
import { useDraft, valuesOf } from '../../parts/form/draft.ts';
import { Field } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Section } from '../../parts/form/section.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import { useSubmit } from '../../parts/form/use-submit.ts';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { ManagedHint } from '../../parts/managed.tsx';
import { SERVICE_URL } from '../../urls.ts';
import { navigate, currentLocation } from '../../router/router.ts';
import { useUnsaved } from '../../router/unsaved.ts';
import { call } from '../../session/call.ts';
import { words } from '../../shell/language.ts';
import { bodyOf, configurationOf, newChannel, TYPES, valuesOfChannel, type Channel } from './draft.ts';
import { ConfigurationFields } from './fields.tsx';
import { TestOutcome, useTest } from './test.tsx';
import { typeName } from './names.ts';

export interface ChannelFormProps {
  /** null: a new channel */
  channel: Channel | null;
  /** reloads the channel and discards the input */
  onLoad: () => void;
}

/** Creates or changes a channel, and can send a test before saving. */
export const ChannelForm = ({ channel, onLoad }: ChannelFormProps): JSX.Element => {
  const { alertChannels: says, common } = words.value;
  const of = useSubmit();
  const usual = TYPES.find((type) => type === currentLocation.peek().query.get('type')) ?? 'email';
  const { draft, changed } = useDraft(channel ? valuesOfChannel(channel) : newChannel(usual), [channel?.id]);
  const release = useUnsaved(changed);
  const list = '/alerts/channels';
  const save = async (isForced = false): Promise<void> => {
    const body = bodyOf(valuesOf(draft));
    if (!channel) await call('POST /v1/alerts/channels', { body });
    else {
      const headers: Record<string, string> = isForced ? {} : { 'If-Match': `"${channel.revision}"` };
      const params = { channel_id: channel.id };
      await call('PUT /v1/alerts/channels/{channel_id}', { params, body }, { headers });
    }
    release();
    navigate(list);
  };
  const test = useTest(() => {
    const values = valuesOf(draft);
    const { type } = values;
    const body = { type, configuration: configurationOf(values), ...(channel && { channel_id: channel.id }) };
    return call('POST /v1/alerts/channels/test', { body });
  });
  return (
    <>
      <ScreenHead
        title={channel?.name ?? says.addTitle}
        isName={channel !== null}
        of={channel}
        back={{ to: list, label: says.title }}
      >
        <a class="button quiet" href={new URL('docs/alert-channels', SERVICE_URL).href}>
          {says.documentation}
        </a>
      </ScreenHead>
      <Form
        submit={channel ? common.save : common.create}
        of={of}
        onSubmit={save}
        onCancel={() => {
          navigate(list);
        }}
        buttons={
          <button type="button" class="button" disabled={test.busy} onClick={() => void of.send(test.run)}>
            {says.test}
          </button>
        }
      >
        <ManagedHint of={channel} />
        <ChangedMeanwhile of={of} onLoad={onLoad} onSave={() => save(true)} />
        <Section legend={says.channel}>
          <Field label={common.name} name="name" value={draft.name} maxLength={100} problem={of.problemOf('name')} />
          {channel === null && (
            <SelectField
              label={says.type}
              name="type"
              value={draft.type}
              options={TYPES.map((value) => ({ value, label: typeName(value) }))}
              problem={of.problemOf('type')}
            />
          )}
        </Section>
        <Section legend={channel ? typeName(channel.type) : says.settings}>
          <ConfigurationFields draft={draft} first={channel ? valuesOfChannel(channel) : null} of={of} />
          <Checkbox label={says.enabledField} name="enabled" value={draft.enabled} problem={of.problemOf('enabled')} />
        </Section>
        <TestOutcome test={test} type={draft.type.value} />
      </Form>
    </>
  );
};
