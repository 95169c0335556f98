import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import type { ChannelField } from '../../api/channel-types.ts';
import { TextArea } from '../../parts/form/text-area.tsx';
import { SelectField } from '../../parts/form/select-field.tsx';
import type { FormDraft } from '../../parts/form/draft.ts';
import { Field } from '../../parts/form/field.tsx';
import { ListField } from '../../parts/form/list-field.tsx';
import { PairsField, type Pair } from '../../parts/form/pairs-field.tsx';
import type { Submit } from '../../parts/form/use-submit.ts';
import { words } from '../../shell/language.ts';
import { ComponentField, PageField } from './component-fields.tsx';
import { fieldsOf, type ChannelValues, type FieldName } from './draft.ts';
import { SecretField } from './secret-field.tsx';
import { fieldHint, fieldName } from './names.ts';

export interface ConfigurationFieldsProps {
  draft: FormDraft<ChannelValues>;
  /** the channel's values when it was loaded; null: a new channel */
  first: ChannelValues | null;
  of: Submit;
}

/** The configuration fields that the channel's type declares. */
export const ConfigurationFields = ({ draft, first, of }: ConfigurationFieldsProps): JSX.Element => (
  <>
    {fieldsOf(draft.type.value).map((field) => (
      <ConfigurationField
        key={`${draft.type.value} ${field.name}`}
        field={field}
        draft={draft}
        stored={field.isSecret ? ((first?.[field.name] as string | undefined) ?? '') : ''}
        of={of}
      />
    ))}
  </>
);

/** Names of multi-line fields. */
const LONG: readonly FieldName[] = ['body_template'];
/** Names of fields with machine-readable text, such as URLs and tokens. */
const CODES: readonly FieldName[] = ['url', 'server_url', 'topic', 'chat_id'];

interface ConfigurationFieldProps {
  field: ChannelField & { name: FieldName };
  draft: FormDraft<ChannelValues>;
  /** the masked stored secret; empty: none */
  stored: string;
  of: Submit;
}

const ConfigurationField = ({ field, draft, stored, of }: ConfigurationFieldProps): JSX.Element => {
  const { alertChannels: says } = words.value;
  const { name, isRequired, isSecret, kind, options } = field;
  const hint = fieldHint(name);
  const basics = {
    label: fieldName(name),
    name,
    problem: problemOf(of, name, draft),
    optional: !isRequired,
    ...(hint !== undefined && { hint }),
  };
  const text = draft[name] as Signal<string>;
  if (name === 'page_id')
    return <PageField {...basics} value={text} component={draft.component_id as Signal<string>} />;
  if (name === 'component_id')
    return <ComponentField {...basics} value={text} page={draft.page_id as Signal<string>} />;
  if (isSecret) return <SecretField {...basics} value={text} stored={stored} />;
  switch (kind) {
    case 'list':
      return <ListField {...basics} value={draft[name] as Signal<readonly string[]>} />;
    case 'pairs':
      return (
        <PairsField
          {...basics}
          value={draft[name] as Signal<readonly Pair[]>}
          nameLabel={says.header}
          valueLabel={says.value}
        />
      );
    case 'choice':
      return (
        <SelectField
          {...basics}
          optional={false}
          value={text}
          options={options.map((value) => ({ value, label: wordOf(value) }))}
        />
      );
    case 'text':
      return LONG.includes(name) ? (
        <TextArea {...basics} value={text} rows={6} code />
      ) : (
        <Field {...basics} value={text} code={CODES.includes(name)} />
      );
  }
};

const wordOf = (value: string): string =>
  (words.value.alertChannels.componentStatuses as Readonly<Record<string, string>>)[value] ?? value;

/** Returns the API's error messages for a field, including its list items and pairs. */
const problemOf = (of: Submit, name: FieldName, draft: FormDraft<ChannelValues>): string | null => {
  const path = `configuration.${name}`;
  const { value } = draft[name];
  const items = Array.isArray(value) ? (value as readonly (string | Pair)[]) : [];
  const ofItems = items.flatMap((item, index) => {
    const [below, label] = typeof item === 'string' ? [index.toString(), item] : [item.name, item.name];
    const problem = of.problemOf(`${path}.${below}`);
    return problem === null ? [] : [`${label}: ${problem}`];
  });
  const all = [of.problemOf(path), ...ofItems].filter((one) => one !== null);
  return all.length === 0 ? null : all.join(' ');
};
