import type { JSX } from 'preact';
import { objectAnchor, type DocsField, type DocsValue } from './model.ts';
import { Prose } from './prose.tsx';

/** Depth from which nested fields are collapsed. */
const FOLDED_FROM = 2;

/** A list of fields with their types, descriptions, rules and nested fields. */
export const Fields = ({ fields, depth = 0 }: { fields: readonly DocsField[]; depth?: number }): JSX.Element => (
  <ul class="fields">
    {fields.map((field) => (
      <li>
        <Field field={field} depth={depth} />
      </li>
    ))}
  </ul>
);

const Field = ({ field, depth }: { field: DocsField; depth: number }): JSX.Element => (
  <>
    <p class="field">
      <code>{field.name}</code> <Type value={field} />
      {field.required && <strong class="required"> required</strong>}
    </p>
    <FieldDetails value={field} />
    <NestedFields value={field} depth={depth + 1} />
  </>
);

/** The type of a value. The name of a shared object links to its section. */
export const Type = ({ value: { type, object } }: { value: DocsValue }): JSX.Element => {
  if (object === null || !type.includes(object)) return <span class="type">{type}</span>;
  const at = type.indexOf(object);
  return (
    <span class="type">
      {type.slice(0, at)}
      <a href={`#${objectAnchor(object)}`}>{object}</a>
      {type.slice(at + object.length)}
    </span>
  );
};

/** The description of a value, its rules, its default and its possible values. */
export const FieldDetails = ({ value: { text, rules, initial, values } }: { value: DocsValue }): JSX.Element => (
  <>
    {text !== null && (
      <p class="text">
        <Prose text={text} />
      </p>
    )}
    {(rules.length > 0 || initial !== null) && (
      <p class="rules">
        {rules.join('; ')}
        {rules.length > 0 && initial !== null && '; '}
        {initial !== null && (
          <>
            default <code>{initial}</code>
          </>
        )}
      </p>
    )}
    {values.length > 0 && (
      <p class="values">
        {values.length === 1 ? 'always ' : 'one of '}
        {values.map((word, index) => (
          <>
            {index > 0 && ' '}
            <code>{word}</code>
          </>
        ))}
      </p>
    )}
  </>
);

/** The nested fields of a value. */
export const NestedFields = ({ value, depth }: { value: DocsValue; depth: number }): JSX.Element | null => {
  const { fields, variants } = value;
  if (fields.length === 0 && variants.length === 0) return null;
  const content = (
    <>
      {fields.length > 0 && <Fields fields={fields} depth={depth} />}
      {variants.map((variant) => (
        <details class="variant">
          <summary>
            <code>{variant.name}</code>
            {variant.text !== null && (
              <>
                {' '}
                <Prose text={variant.text} />
              </>
            )}
          </summary>
          {variant.fields.length > 0 ? (
            <Fields fields={variant.fields} depth={depth} />
          ) : (
            <p class="text">No other fields.</p>
          )}
        </details>
      ))}
    </>
  );
  if (depth < FOLDED_FROM || fields.length + variants.length < 3) return content;
  return (
    <details class="nested">
      <summary>{fields.length === 1 ? '1 field' : `${fields.length} fields`}</summary>
      {content}
    </details>
  );
};
