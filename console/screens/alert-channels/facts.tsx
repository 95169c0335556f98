import type { ComponentChildren, JSX } from 'preact';
import { Facts } from '../../parts/facts.tsx';
import { Known } from '../../past/known.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Moment } from '../../parts/times/since.tsx';
import { words } from '../../shell/language.ts';
import { fieldsOf, valuesOfChannel, type Channel, type FieldValue } from './draft.ts';
import { fieldName, typeName } from './names.ts';

const textOf = (value: FieldValue): string =>
  value === null || value === ''
    ? '–'
    : typeof value === 'string'
      ? value
      : value.map((one) => (typeof one === 'string' ? one : `${one.name}: ${one.value}`)).join(', ') || '–';

/** The settings of a channel that the user is allowed to see. */
export const ChannelFacts = ({ channel }: { channel: Channel }): JSX.Element => {
  const { alertChannels: says } = words.value;
  const values = valuesOfChannel(channel);
  return (
    <>
      <ScreenHead title={channel.name} isName of={channel} back={{ to: '/alerts/channels', label: says.title }} />
      <Facts
        facts={[
          [says.type, `${typeName(channel.type)}${channel.enabled ? '' : ` · ${says.off}`}`],
          ...fieldsOf(channel.type).map((field): [string, ComponentChildren] => [
            fieldName(field.name),
            <bdi key={field.name}>{textOf(values[field.name])}</bdi>,
          ]),
          [
            says.lastUsed,
            <Known key="used" name="last_used_at" value={channel.last_used_at}>
              {channel.last_used_at === null ? says.never : <Moment instant={channel.last_used_at} />}
            </Known>,
          ],
        ]}
      />
    </>
  );
};
