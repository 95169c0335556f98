import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { SelectField } from '../../parts/form/select-field.tsx';
import { FieldFrame } from '../../parts/form/field-frame.tsx';
import { ListField } from '../../parts/form/list-field.tsx';
import { Section } from '../../parts/form/section.tsx';
import { Link } from '../../parts/link.tsx';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import type { Choices } from './choices.ts';
import type { Channels } from './rule-channels.ts';
import { problemUnder } from './problems.ts';
import { Checkboxes } from './checkboxes.tsx';
import type { PartProps } from './target-fields.tsx';

export interface OrganizationFieldsProps extends PartProps {
  choices: Choices;
  /** the channels of the check's rules */
  channels: Channels;
  chosen: Signal<readonly string[]>;
}

/** The fields for the group, the tags and the alert channels of a check. */
export const OrganizationFields = ({ draft, of, choices, channels, chosen }: OrganizationFieldsProps): JSX.Element => {
  const says = words.value.checkForm;
  const { groups } = choices;
  const id = draft.groupId.value;
  const isUnknown = id !== '' && !groups.some((group) => group.id === id);
  return (
    <Section legend={says.sections.belongs}>
      <SelectField
        label={says.group}
        name="group_id"
        value={draft.groupId}
        problem={of.problemOf('group_id')}
        options={[
          { value: '', label: says.noGroup },
          ...groups.map((group) => ({ value: group.id, label: group.name })),
          ...(isUnknown ? [{ value: id, label: id }] : []),
        ]}
      />
      <ListField label={says.tags} name="tags" optional value={draft.tags} problem={problemUnder(of, 'tags')} />
      {may('POST /v1/checks/bulk') &&
        (choices.channels.length > 0 ? (
          <Checkboxes
            label={says.channels}
            name="channel_ids"
            hint={channels.differ ? says.channelsDiffer : says.channelsHint}
            value={chosen}
            problem={of.problemOf('channel_ids')}
            options={choices.channels.map((channel) => ({ value: channel.id, label: channel.name }))}
          />
        ) : (
          <FieldFrame field={{ label: says.channels, name: 'channel_ids' }} id="channel_ids" group>
            <p class="hint">
              {says.noChannels} <Link to="/alerts/channels/new">{words.value.common.create}</Link>
            </p>
          </FieldFrame>
        ))}
    </Section>
  );
};
