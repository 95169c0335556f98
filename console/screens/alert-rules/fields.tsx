import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { Schemas } from '../../api/openapi.d.ts';
import { CheckField } from '../../parts/form/check-field.tsx';
import { SelectField } from '../../parts/form/select-field.tsx';
import type { FormDraft } from '../../parts/form/draft.ts';
import { DurationField } from '../../parts/form/duration-field.tsx';
import { Field } from '../../parts/form/field.tsx';
import { describingIds, FieldFrame } from '../../parts/form/field-frame.tsx';
import { MomentField } from '../../parts/form/moment-field.tsx';
import { NumberField } from '../../parts/form/number-field.tsx';
import { Section } from '../../parts/form/section.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import type { Submit } from '../../parts/form/use-submit.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { Link } from '../../parts/link.tsx';
import { SEVERITIES } from '../../parts/severity.ts';
import { call } from '../../session/call.ts';
import { useLoaded, type Loaded } from '../../session/loaded.ts';
import { words } from '../../shell/language.ts';
import { CONDITIONS, REGION_MODES, type RuleValues } from './draft.ts';
import { typeName } from '../alert-channels/names.ts';

interface FieldsProps {
  draft: FormDraft<RuleValues>;
  of: Submit;
}

/** The fields for the name of a rule and the checks that it watches. */
export const WatchedFields = ({
  draft,
  of,
  checkName,
}: FieldsProps & { checkName: Signal<string | null> }): JSX.Element => {
  const { alertRules: says, common } = words.value;
  return (
    <Section legend={says.watches}>
      <Field
        label={common.name}
        name="name"
        value={draft.name}
        maxLength={100}
        placeholder={says.nameExample}
        problem={of.problemOf('name')}
      />
      <SelectField
        label={says.about}
        name="about"
        value={draft.about}
        options={(['check', 'tag'] as const).map((value) => ({ value, label: says.abouts[value] }))}
      />
      {draft.about.value === 'check' ? (
        <CheckField
          label={says.check}
          name="check_id"
          hint={says.findCheck}
          value={draft.check_id}
          chosen={checkName}
          problem={of.problemOf('check_id')}
        />
      ) : (
        <>
          <Field
            label={says.tag}
            name="tag"
            value={draft.tag}
            maxLength={50}
            code
            hint={says.tagHint}
            problem={of.problemOf('tag')}
          />
          <TaggedCheckCount tag={draft.tag.value.trim()} />
        </>
      )}
    </Section>
  );
};

const TAG = /^[a-z0-9._:-]{1,50}$/;

/** Shows the number of checks with a tag. */
const TaggedCheckCount = ({ tag }: { tag: string }): JSX.Element | null => {
  const isTag = TAG.test(tag);
  const { loaded } = useLoaded(
    async (signal) => {
      if (!isTag) return null;
      const query = { tag: [tag], page_size: 1 };
      return (await call('GET /v1/checks/overview', { query }, { signal })).pagination.total_items;
    },
    [tag],
  );
  if (loaded.status !== 'loaded' || loaded.value === null || !isTag) return null;
  return (
    <p class="hint" role="status">
      {words.value.alertRules.tagged(loaded.value)}
    </p>
  );
};

/** The fields for the condition, the regions, and the number of confirmations. */
export const ConditionFields = ({ draft, of }: FieldsProps): JSX.Element => {
  const { alertRules: says } = words.value;
  const parameter = (name: string): string | null => of.problemOf(`condition_parameters.${name}`);
  const condition = draft.condition.value;
  return (
    <Section legend={says.when}>
      <SelectField
        label={says.condition}
        name="condition"
        value={draft.condition}
        options={CONDITIONS.map((value) => ({ value, label: says.conditions[value] }))}
        problem={of.problemOf('condition')}
      />
      {condition === 'check_degraded' && (
        <NumberField
          label={says.limit}
          name="response_time"
          value={draft.response_time}
          min={1}
          unit="ms"
          problem={parameter('response_time')}
        />
      )}
      {condition === 'consecutive_failures' && (
        <NumberField
          label={says.count}
          name="count"
          value={draft.count}
          min={1}
          max={100}
          problem={parameter('count')}
        />
      )}
      {condition === 'uptime_below_threshold' && (
        <>
          <NumberField
            label={says.threshold}
            name="threshold"
            value={draft.threshold}
            min={0}
            max={100}
            step="any"
            unit="%"
            problem={parameter('threshold')}
          />
          <DurationField
            label={says.window}
            name="window_seconds"
            value={draft.window_seconds}
            problem={parameter('window_seconds')}
          />
        </>
      )}
      <SelectField
        label={says.mode}
        name="multi_region_mode"
        value={draft.multi_region_mode}
        options={REGION_MODES.map((value) => ({ value, label: says.modes[value] }))}
        problem={of.problemOf('multi_region_mode')}
      />
      {draft.multi_region_mode.value === 'specific_count' && (
        <NumberField
          label={says.regions}
          name="regions"
          value={draft.regions}
          min={1}
          max={100}
          problem={of.problemOf('multi_region_threshold.count')}
        />
      )}
      <NumberField
        label={says.confirmations}
        name="confirmations"
        value={draft.confirmations}
        min={1}
        max={10}
        hint={says.confirmationsHint}
        problem={of.problemOf('confirmations')}
      />
    </Section>
  );
};

/** The fields for severity and channels. */
export const NotificationFields = (
  props: FieldsProps & { channels: Loaded<readonly Schemas['AlertChannel'][]> },
): JSX.Element => {
  const { draft, of, channels } = props;
  const { alertRules: says, alerts, severities } = words.value;
  return (
    <Section legend={says.then}>
      <SelectField
        label={alerts.severity}
        name="severity"
        value={draft.severity}
        options={SEVERITIES.map((value) => ({ value, label: severities[value] }))}
        problem={of.problemOf('severity')}
      />
      {channels.status === 'failed' && <FailureLine failure={channels.failure} />}
      {channels.status === 'loaded' && (
        <ChannelsField value={draft.channel_ids} channels={channels.value} problem={of.problemOf('channel_ids')} />
      )}
    </Section>
  );
};

interface ChannelsFieldProps {
  value: Signal<readonly string[]>;
  channels: readonly Schemas['AlertChannel'][];
  problem: string | null;
}

/** The channels of a rule, as one checkbox per channel. */
const ChannelsField = ({ value, channels, problem }: ChannelsFieldProps): JSX.Element => {
  const { alertRules: says, alertChannels } = words.value;
  const id = useId();
  const field = { label: says.channels, name: 'channel_ids', problem };
  return (
    <FieldFrame field={field} id={id} group>
      {channels.length === 0 ? (
        <p class="hint">{says.noChannels}</p>
      ) : (
        <div class="options">
          {channels.map((channel, index) => (
            <label key={channel.id} class="tick">
              <input
                type="checkbox"
                name="channel_ids"
                checked={value.value.includes(channel.id)}
                onChange={({ currentTarget }) => {
                  const others = value.value.filter((one) => one !== channel.id);
                  value.value = currentTarget.checked ? [...others, channel.id] : others;
                }}
                {...(index === 0 && describingIds(id, field))}
              />
              <span>
                <bdi>{channel.name}</bdi> <span class="fine">{typeName(channel.type)}</span>
                {!channel.enabled && <span class="fine"> · {alertChannels.off}</span>}
              </span>
            </label>
          ))}
        </div>
      )}
      <p>
        <Link to="/alerts/channels/new">{says.addChannel}</Link>
      </p>
    </FieldFrame>
  );
};

/** The fields for resolution, cooldown and muting. */
export const ResolutionFields = ({ draft, of }: FieldsProps): JSX.Element => {
  const { alertRules: says } = words.value;
  return (
    <Section legend={says.end}>
      <Checkbox
        label={says.autoResolve}
        name="auto_resolve"
        value={draft.auto_resolve}
        problem={of.problemOf('auto_resolve')}
      />
      {draft.auto_resolve.value && (
        <NumberField
          label={says.recoveries}
          name="recovery_confirmations"
          value={draft.recovery_confirmations}
          min={1}
          max={10}
          problem={of.problemOf('recovery_confirmations')}
        />
      )}
      <DurationField
        label={says.cooldown}
        name="cooldown_period"
        value={draft.cooldown_period}
        hint={says.cooldownHint}
        problem={of.problemOf('cooldown_period')}
      />
      <MomentField
        label={says.mutedUntilField}
        name="muted_until"
        value={draft.muted_until}
        hint={says.mutedUntilHint}
        optional
        problem={of.problemOf('muted_until')}
      />
      <Checkbox label={says.enabledField} name="enabled" value={draft.enabled} problem={of.problemOf('enabled')} />
    </Section>
  );
};
