import type { ComponentChildren, JSX } from 'preact';

interface FieldProps {
  /** of the field, and the beginning of the ids of what belongs to it */
  name: string;
  label: string;
  /** what is wrong with it */
  problem?: string | undefined;
  help?: string | undefined;
  children: (attributes: FieldAttributes) => JSX.Element;
}

/** Binds a control to its label, its help and its problem. */
export interface FieldAttributes {
  id: string;
  name: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

/** A control with its label above, and below what helps to fill it in and what is wrong with it. */
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
      <FieldProblem name={name} text={problem} />
    </div>
  );
};

/** What is wrong with a field, or with a group of them. */
export const FieldProblem = ({ name, text }: { name: string; text: string | undefined }): JSX.Element | null =>
  text === undefined ? null : (
    <p class="field-problem" id={`${name}-problem`}>
      {text}
    </p>
  );

/** What is wrong with the whole form; screen readers announce it. */
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

/** A radio button or a checkbox with its label, all of which can be pressed. */
export const Option = ({ type, name, value, checked, help, children }: OptionProps): JSX.Element => (
  <label class="option">
    <input type={type} name={name} value={value} checked={checked} />
    <span>
      {children}
      {help !== undefined && <small class="help">{help}</small>}
    </span>
  </label>
);
