import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { TextArea } from '../../parts/form/text-area.tsx';
import { SelectField } from '../../parts/form/select-field.tsx';
import { DurationField } from '../../parts/form/duration-field.tsx';
import { Field } from '../../parts/form/field.tsx';
import { ListField } from '../../parts/form/list-field.tsx';
import { NumberField } from '../../parts/form/number-field.tsx';
import { PairsField } from '../../parts/form/pairs-field.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import type { Submit } from '../../parts/form/use-submit.ts';
import { words } from '../../shell/language.ts';
import { valueOf, type Draft } from './draft.ts';
import { FIELDS, type FieldName, type FieldSpec } from './fields.ts';
import { HeadersField, JsonField } from './lines-field.tsx';
import { problemUnder } from './problems.ts';
import { unitText } from './units.ts';
import type { HeaderLine, JsonLine, Pair } from './values.ts';

interface ParameterFieldProps {
  field: FieldSpec;
  draft: Draft;
  of: Submit;
}

/** Labels that are the same in all languages, by option. */
const LITERAL: Readonly<Record<string, string>> = { v4: 'IPv4', v6: 'IPv6' };

const optionWord = (name: FieldName, option: string): string =>
  words.value.checkForm.options[name]?.[option] ??
  LITERAL[option] ??
  (name === 'scanType' || name === 'starttls' ? option.toUpperCase() : option);

/** Returns whether the checkbox that a field depends on is ticked. */
const isNeeded = ({ needs, types }: FieldSpec, draft: Draft): boolean => {
  const tick = FIELDS.find((field) => field.name === needs && field.types.some((type) => types.includes(type)));
  return tick === undefined || valueOf(draft, tick).value === true;
};

/** The field for one parameter of the check. */
export const ParameterField = ({ field, draft, of }: ParameterFieldProps): JSX.Element | null => {
  const { as, name, path } = field;
  if (!isNeeded(field, draft) || as.kind === 'script') return null;
  const { fields, hints, header, value: valueWord } = words.value.checkForm;
  const hint = hints[name];
  const basics = {
    label: fields[name],
    name: path,
    // A checkbox shows only the error for its own path, because paths below it belong to other fields.
    problem: as.kind === 'tick' ? of.problemOf(path) : problemUnder(of, path),
    optional: as.kind !== 'tick' && as.kind !== 'choice',
    ...(hint !== undefined && { hint }),
  };
  const value = valueOf(draft, field) as Signal<unknown>;
  switch (as.kind) {
    case 'text':
      return <Field {...basics} code={as.code ?? false} value={value as Signal<string>} />;
    case 'password':
      return <Field {...basics} type="password" autocomplete="new-password" code value={value as Signal<string>} />;
    case 'area':
      return <TextArea {...basics} code={as.code ?? false} value={value as Signal<string>} />;
    case 'lines':
      return <TextArea {...basics} code rows={3} value={value as Signal<string>} />;
    case 'number': {
      const { min, max, step = 1, unit } = as;
      const word = unitText(unit);
      return (
        <NumberField
          {...basics}
          value={value as Signal<number | null>}
          step={step}
          {...(min !== undefined && { min })}
          {...(max !== undefined && { max })}
          {...(word !== undefined && { unit: word })}
        />
      );
    }
    case 'seconds':
      return <DurationField {...basics} value={value as Signal<number | null>} />;
    case 'tick':
      return <Checkbox {...basics} value={value as Signal<boolean>} />;
    case 'choice':
      return (
        <SelectField
          {...basics}
          value={value as Signal<string>}
          options={as.options.map((option) => ({ value: option, label: optionWord(name, option) }))}
        />
      );
    case 'list':
    case 'numbers':
    case 'codes':
      return <ListField {...basics} value={value as Signal<readonly string[]>} />;
    case 'pairs':
      return (
        <PairsField {...basics} value={value as Signal<readonly Pair[]>} nameLabel={header} valueLabel={valueWord} />
      );
    case 'json':
      return <JsonField {...basics} value={value as Signal<readonly JsonLine[]>} />;
    case 'headers':
      return <HeadersField {...basics} value={value as Signal<readonly HeaderLine[]>} />;
  }
};
