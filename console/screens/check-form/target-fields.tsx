import type { JSX } from 'preact';
import { SelectField } from '../../parts/form/select-field.tsx';
import { Field } from '../../parts/form/field.tsx';
import { NumberField } from '../../parts/form/number-field.tsx';
import { Section } from '../../parts/form/section.tsx';
import type { Submit } from '../../parts/form/use-submit.ts';
import { words } from '../../shell/language.ts';
import { proposedName } from './bodies.ts';
import { changeType, type Draft } from './draft.ts';
import { CHECK_TYPES, fieldsOf, isScript, TARGETS } from './fields.ts';
import { ParameterField } from './parameter-field.tsx';

export interface PartProps {
  draft: Draft;
  of: Submit;
}

const PORTS: Readonly<Record<string, string>> = { ssl: '443' };

/** The fields for type, name and target. */
export const TargetFields = ({ draft, of, isNew }: PartProps & { isNew: boolean }): JSX.Element => {
  const says = words.value.checkForm;
  const type = draft.type.value;
  const wanted = TARGETS[type];
  const proposed = proposedName(draft);
  return (
    <Section legend={says.sections.what}>
      <SelectField
        label={says.type}
        name="type"
        value={draft.type}
        disabled={!isNew}
        hint={isNew ? says.types[type].hint : says.typeFixed}
        problem={of.problemOf('type')}
        options={CHECK_TYPES.map((one) => ({ value: one, label: says.types[one].label }))}
        onChoose={(next) => {
          // The field has already set the new type. Set the previous type again, because `changeType` needs both.
          draft.type.value = type;
          changeType(draft, next);
        }}
      />
      <Field
        label={words.value.common.name}
        name="name"
        value={draft.name}
        problem={of.problemOf('name')}
        maxLength={100}
        placeholder={proposed}
        optional={proposed !== ''}
      />
      {wanted.includes('url') && (
        <Field
          label={says.url}
          name="url"
          type="url"
          inputMode="url"
          code
          placeholder="https://example.com/"
          optional={isScript(type)}
          value={draft.url}
          problem={of.problemOf('url')}
        />
      )}
      {wanted.includes('host') && (
        <div class="target-line">
          <Field
            label={says.host}
            name="host"
            inputMode="url"
            code
            placeholder="example.com"
            value={draft.host}
            problem={of.problemOf('host')}
          />
          {wanted.includes('port') && (
            <NumberField
              label={says.port}
              name="port"
              min={1}
              max={65_535}
              optional={type !== 'tcp'}
              value={draft.port}
              problem={of.problemOf('port')}
              {...(PORTS[type] !== undefined && { hint: PORTS[type] })}
            />
          )}
        </div>
      )}
      {fieldsOf(type, 'what').map((field) => (
        <ParameterField key={field.path} field={field} draft={draft} of={of} />
      ))}
    </Section>
  );
};
