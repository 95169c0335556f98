import type { Signal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { describingIds, FieldFrame, type FieldBasics } from '../../../parts/form/field-frame.tsx';
import { words } from '../../../shell/language.ts';
import { brokenLine, indented, outdented, type Selection } from './edits.ts';

export interface EditorProps extends FieldBasics {
  value: Signal<string>;
  /** number of the line with the error, from 1; null: none */
  errorAt: number | null;
}

const LEAST_LINES = 12;
const MOST_LINES = 32;

/**
 * A script editor with line numbers. Tab indents the text. After Escape, Tab moves the focus to the next element, as
 * WCAG 2.1.2 requires; Tab indents again after the editor has been refocused.
 */
export const Editor = (props: EditorProps): JSX.Element => {
  const { name, value, errorAt } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLDivElement>(null);
  const mayLeave = useRef(false);
  const lines = value.value.split('\n').length;
  const rows = Math.min(MOST_LINES, Math.max(LEAST_LINES, lines));
  const { editor } = words.value.checkForm;

  const follow = (): void => {
    if (numbers.current && field.current) numbers.current.scrollTop = field.current.scrollTop;
  };
  useEffect(follow);
  useEffect(() => {
    const { current } = field;
    if (!current || errorAt === null) return;
    const height = current.scrollHeight / Math.max(lines, rows);
    current.scrollTop = Math.max(0, (errorAt - rows / 2) * height);
  }, [errorAt]);

  const apply = (event: KeyboardEvent, change: (selection: Selection) => Selection): void => {
    const { current } = field;
    if (!current) return;
    event.preventDefault();
    const { value: text, selectionStart: from, selectionEnd: to } = current;
    const changed = change({ text, from, to });
    replaceText(current, changed.text);
    current.setSelectionRange(changed.from, changed.to);
    value.value = current.value;
  };
  const hear = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Escape') {
      mayLeave.current = true;
      return;
    }
    if (event.key === 'Tab' && !mayLeave.current) apply(event, event.shiftKey ? outdented : indented);
    if (event.key === 'Enter' && !event.shiftKey) apply(event, brokenLine);
    if (event.key !== 'Tab' && event.key !== 'Shift') mayLeave.current = false;
  };
  const hint = errorAt === null ? editor.keys : `${editor.errorIn(errorAt)} ${editor.keys}`;
  const basics = { ...props, hint };
  return (
    <FieldFrame field={basics} id={id}>
      <div class="script-editor input">
        <div ref={numbers} class="numbers" aria-hidden="true">
          {Array.from({ length: lines }, (_, index) => (
            <span key={index} class={index + 1 === errorAt ? 'wrong' : undefined}>
              {index + 1}
            </span>
          ))}
        </div>
        <textarea
          id={id}
          ref={field}
          name={name}
          class="code"
          rows={rows}
          wrap="off"
          value={value.value}
          spellcheck={false}
          autocapitalize="none"
          autocomplete="off"
          onInput={({ currentTarget }) => {
            value.value = currentTarget.value;
          }}
          onScroll={follow}
          onFocus={() => {
            mayLeave.current = false;
          }}
          onKeyDown={hear}
          {...describingIds(id, basics)}
        />
      </div>
    </FieldFrame>
  );
};

/**
 * Replaces the text of the field. Changes only the part that differs, with an editing command of the browser, so that
 * undo works.
 */
const replaceText = (field: HTMLTextAreaElement, text: string): void => {
  const before = field.value;
  let start = 0;
  while (start < before.length && start < text.length && before[start] === text[start]) start += 1;
  let same = 0;
  const most = Math.min(before.length, text.length) - start;
  while (same < most && before[before.length - 1 - same] === text[text.length - 1 - same]) same += 1;
  field.setSelectionRange(start, before.length - same);
  const inserted = text.slice(start, text.length - same);
  // `execCommand` is the only function that preserves the undo history of the field. If the browser does not support
  // it, the text is set and the history is lost.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const isDone = inserted === '' ? document.execCommand('delete') : document.execCommand('insertText', false, inserted);
  if (!isDone) field.value = text;
};
