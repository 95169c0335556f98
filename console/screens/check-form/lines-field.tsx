import type { Signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { FieldFrame, type FieldBasics } from '../../parts/form/field-frame.tsx';
import { Icon } from '../../parts/icon.tsx';
import { words } from '../../shell/language.ts';
import { HEADER_OPERATORS, isUnary, JSON_OPERATORS, type HeaderLine, type JsonLine } from './values.ts';

interface LinesProps<Line> extends FieldBasics {
  value: Signal<readonly Line[]>;
  /** the value of an added line */
  empty: Line;
  cells: (line: Line, set: (change: Partial<Line>) => void, number: string) => ComponentChildren;
}

/** A field for several lines with the same structure, such as assertions. */
const Lines = <Line,>(props: LinesProps<Line>): JSX.Element => {
  const { value, empty, cells } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const { add, remove } = words.value.common;
  const focus = (at: number): void => {
    requestAnimationFrame(() =>
      box.current?.querySelectorAll<HTMLElement>('.line')[at]?.querySelector('input')?.focus(),
    );
  };
  return (
    <FieldFrame field={props} id={id} group>
      <div ref={box} class="pairs">
        {value.value.map((line, index) => (
          <div key={index} class="fields-line">
            {cells(
              line,
              (change) => {
                value.value = value.value.map((one, other) => (other === index ? { ...one, ...change } : one));
              },
              (index + 1).toString(),
            )}
            <button
              type="button"
              class="icon-button"
              aria-label={`${remove}: ${props.label} ${index + 1}`}
              onClick={() => {
                value.value = value.value.filter((_, other) => other !== index);
                focus(Math.max(0, index - 1));
              }}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            value.value = [...value.value, empty];
            focus(value.value.length - 1);
          }}
        >
          <Icon name="add" /> {add}
        </button>
      </div>
    </FieldFrame>
  );
};

interface TextProps {
  label: string;
  text: string;
  placeholder?: string;
  onText: (text: string) => void;
}

const Text = ({ label, text, placeholder, onText }: TextProps): JSX.Element => (
  <div class="input">
    <input
      aria-label={label}
      class="code"
      value={text}
      placeholder={placeholder}
      autocomplete="off"
      autocapitalize="none"
      spellcheck={false}
      onInput={({ currentTarget }) => {
        onText(currentTarget.value);
      }}
    />
  </div>
);

interface OperatorProps<Operator extends string> {
  label: string;
  operators: readonly Operator[];
  names: Readonly<Record<Operator, string>>;
  value: Operator;
  onChoose: (operator: Operator) => void;
}

const OperatorChoice = <Operator extends string>(props: OperatorProps<Operator>): JSX.Element => (
  <select
    class="wide"
    aria-label={props.label}
    value={props.value}
    onChange={({ currentTarget }) => {
      props.onChoose(currentTarget.value as Operator);
    }}
  >
    {props.operators.map((one) => (
      <option key={one} value={one} selected={one === props.value}>
        {props.names[one]}
      </option>
    ))}
  </select>
);

/** A field for assertions on the JSON of a response. */
export const JsonField = (props: FieldBasics & { value: Signal<readonly JsonLine[]> }): JSX.Element => {
  const { jsonPath, operator, jsonOperators, value: valueWord } = words.value.checkForm;
  return (
    <Lines<JsonLine>
      {...props}
      empty={{ path: '', operator: 'equals', value: '' }}
      cells={(line, set, number) => (
        <>
          <Text
            label={`${jsonPath} ${number}`}
            text={line.path}
            placeholder="$.status"
            onText={(path) => {
              set({ path });
            }}
          />
          <OperatorChoice
            label={`${operator} ${number}`}
            operators={JSON_OPERATORS}
            names={jsonOperators}
            value={line.operator}
            onChoose={(one) => {
              set({ operator: one });
            }}
          />
          {!isUnary(line.operator) && (
            <Text
              label={`${valueWord} ${number}`}
              text={line.value}
              onText={(value) => {
                set({ value });
              }}
            />
          )}
        </>
      )}
    />
  );
};

/** A field for assertions on the headers of a response. */
export const HeadersField = (props: FieldBasics & { value: Signal<readonly HeaderLine[]> }): JSX.Element => {
  const { header, operator, headerOperators, value: valueWord } = words.value.checkForm;
  return (
    <Lines<HeaderLine>
      {...props}
      empty={{ name: '', operator: 'equals', value: '' }}
      cells={(line, set, number) => (
        <>
          <Text
            label={`${header} ${number}`}
            text={line.name}
            placeholder="Content-Type"
            onText={(name) => {
              set({ name });
            }}
          />
          <OperatorChoice
            label={`${operator} ${number}`}
            operators={HEADER_OPERATORS}
            names={headerOperators}
            value={line.operator}
            onChoose={(one) => {
              set({ operator: one });
            }}
          />
          {line.operator !== 'absent' && (
            <Text
              label={`${valueWord} ${number}`}
              text={line.value}
              onText={(value) => {
                set({ value });
              }}
            />
          )}
        </>
      )}
    />
  );
};
