import type { ComponentChildren, JSX } from 'preact';

interface FieldProps {
  /** name of the field, and prefix of the ids of related elements */
  name: string;
  label: string;
  /** error message */
  problem?: string | undefined;
  help?: string | undefined;
  children: (attributes: FieldAttributes) => JSX.Element;
}

/** Attributes that connect a control to its label, help text and error message. */
export interface FieldAttributes {
  id: string;
  name: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

/** A control with its label above, and its help text and error message below it. */
export const Field = ({ name, label, problem, help, children }: FieldProps): JSX.Element => {
  const described = [help !== undefined && `${name}-help`, problem !== undefined && `${name}-problem`];
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {children({
        id: name,
        name,
        'aria-describedby': described.filter((id) => id !== false).join(' ') || undefined,
        'aria-invalid': problem === undefined ? undefined : 'true',
      })}
      {help !== undefined && (
        <p class="help" id={`${name}-help`}>
          {help}
        </p>
      )}
      <FieldError name={name} text={problem} />
    </div>
  );
};

/** The error message of a field or a group of fields. */
export const FieldError = ({ name, text }: { name: string; text: string | undefined }): JSX.Element | null =>
  text === undefined ? null : (
    <p class="field-problem" id={`${name}-problem`}>
      {text}
    </p>
  );

/** The error message of a whole form. Screen readers announce the message. */
export const FormProblem = ({ text }: { text: string | null }): JSX.Element | null =>
  text === null ? null : (
    <p class="wrong" role="alert">
      {text}
    </p>
  );

interface OptionProps {
  type: 'radio' | 'checkbox';
  name: string;
  value: string;
  checked: boolean;
  help?: string;
  children: ComponentChildren;
}

/** A radio button or a checkbox with a clickable label. */
export const Option = ({ type, name, value, checked, help, children }: OptionProps): JSX.Element => (
  <label class="option">
    <input type={type} name={name} value={value} checked={checked} />
    <span>
      {children}
      {help !== undefined && <small class="help">{help}</small>}
    </span>
  </label>
);
