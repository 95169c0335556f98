import type { JSX } from 'preact';
import { TextArea } from '../../parts/form/text-area.tsx';
import { Field, type FieldProps } from '../../parts/form/field.tsx';
import { Checkbox } from '../../parts/form/checkbox.tsx';
import type { FlagName, TextName } from './draft.ts';
import { mayChange } from './page-form.tsx';
import type { PageForm } from './use-page-form.ts';

interface PageFieldProps<Name> {
  form: PageForm;
  name: Name;
  label: string;
  hint?: string;
}

export interface PageTextProps extends PageFieldProps<TextName>, Pick<FieldProps, 'type' | 'placeholder' | 'code'> {
  /** number of visible lines; absent: the field has a single line */
  rows?: number;
  required?: boolean;
}

/** A text field of a page. */
export const PageText = ({ form, name, label, hint, rows, required = false, ...more }: PageTextProps): JSX.Element => {
  const props = {
    ...{ label, name, value: form.text(name), problem: form.of.problemOf(name) },
    ...(hint !== undefined && { hint }),
    optional: !required,
    disabled: !mayChange(),
  };
  if (rows !== undefined) return <TextArea {...props} rows={rows} code={more.code ?? false} />;
  return <Field {...props} {...more} />;
};

/** A boolean field of a page. */
export const PageFlag = ({ form, name, label, hint }: PageFieldProps<FlagName>): JSX.Element => (
  <Checkbox
    label={label}
    name={name}
    value={form.flag(name)}
    problem={form.of.problemOf(name)}
    disabled={!mayChange()}
    {...(hint !== undefined && { hint })}
  />
);
