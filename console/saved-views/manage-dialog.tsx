import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { words } from '../shell/language.ts';
import {
  LONGEST_NAME,
  nameProblem,
  withRenamedView,
  withDefault,
  withoutView,
  type SavedView,
  type SavedViews,
} from './views.ts';

type Change = (how: (views: SavedViews) => SavedViews) => void;

export interface ManageDialogProps {
  views: SavedViews;
  onChange: Change;
  onClose: () => void;
}

/** Renames and deletes saved views, and sets the default view. */
export const ManageDialog = ({ views, onChange, onClose }: ManageDialogProps): JSX.Element => {
  const dialog = useRef<HTMLDialogElement>(null);
  const undo = useRef<HTMLButtonElement>(null);
  const id = useId();
  const before = useSignal<SavedViews | null>(null);
  const { close, common, savedViews: says } = words.value;
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  // After a deletion, Enter undoes it.
  useLayoutEffect(() => {
    undo.current?.focus();
  }, [before.value]);
  return (
    <dialog ref={dialog} class="confirm saved-views" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{says.manageTitle}</h2>
      <ul>
        {views.views.map((view, place) => (
          <ViewRow
            key={place}
            view={view}
            views={views}
            onChange={(how) => {
              before.value = null;
              onChange(how);
            }}
            onDelete={() => {
              before.value = views;
              onChange((all) => withoutView(all, view.name));
            }}
          />
        ))}
      </ul>
      <p role="status" class="fine">
        {before.value !== null ? says.deleted : says.ofBrowser}
      </p>
      <div class="actions">
        {before.value !== null && (
          <button
            ref={undo}
            type="button"
            class="button"
            onClick={() => {
              const { value } = before;
              before.value = null;
              if (value) onChange(() => value);
            }}
          >
            {common.undo}
          </button>
        )}
        <button type="button" class="button primary" onClick={() => dialog.current?.close()}>
          {close}
        </button>
      </div>
    </dialog>
  );
};

interface ViewRowProps {
  view: SavedView;
  views: SavedViews;
  onChange: Change;
  onDelete: () => void;
}

const ViewRow = ({ view, views, onChange, onDelete }: ViewRowProps): JSX.Element => {
  const id = useId();
  const typed = useSignal(view.name);
  // After a rename, update the field instead of rendering a new row, so that the field does not lose the focus.
  useEffect(() => {
    typed.value = view.name;
  }, [view.name]);
  const problem = nameProblem(views, typed.value, view.name);
  const isDefault = views.byDefault === view.name;
  const { common, savedViews: says } = words.value;
  return (
    <li>
      <input
        type="text"
        dir="auto"
        value={typed.value}
        maxLength={LONGEST_NAME}
        aria-label={`${common.name}: ${view.name}`}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : id}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
        }}
        onChange={() => {
          if (problem === null) onChange((all) => withRenamedView(all, view.name, typed.value));
        }}
      />
      <button
        type="button"
        class="button"
        aria-pressed={isDefault}
        aria-label={`${says.byDefault}: ${view.name}`}
        onClick={() => {
          onChange((all) => withDefault(all, isDefault ? null : view.name));
        }}
      >
        {says.byDefault}
      </button>
      <button type="button" class="icon-button" aria-label={`${common.delete}: ${view.name}`} onClick={onDelete}>
        <Icon name="remove" />
      </button>
      {problem !== null && (
        <p id={id} class="problem">
          {says.problems[problem]}
        </p>
      )}
    </li>
  );
};
