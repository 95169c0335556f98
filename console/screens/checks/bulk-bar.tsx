import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Icon } from '../../parts/icon.tsx';
import { words } from '../../shell/language.ts';
import { MOST_AT_ONCE, type BulkChange } from './actions.ts';
import { BulkSettings } from './bulk-settings.tsx';

export interface BulkBarProps {
  count: number;
  /** number of checks that match the filter */
  matches: number;
  busy: boolean;
  onChange: (change: BulkChange) => void;
  onSelectAll: () => void;
  onClear: () => void;
}

const TAG = '[a-z0-9._:\\-]{1,50}';
const TAGS = `\\s*${TAG}([\\s,]+${TAG})*\\s*`;

/** The actions on the selected checks. */
export const BulkBar = ({ count, matches, busy, onChange, onSelectAll, onClear }: BulkBarProps): JSX.Element => {
  const { checks: says } = words.value;
  return (
    <section class="bulk" aria-label={says.selection}>
      <strong role="status">{says.selected(count)}</strong>
      <button class="icon-button" aria-label={says.clear} onClick={onClear}>
        <Icon name="close" />
      </button>
      {count < matches && (
        <button class="button quiet" onClick={onSelectAll}>
          {says.selectMatches(matches)}
        </button>
      )}
      <span class="actions">
        <button
          class="button"
          disabled={busy}
          onClick={() => {
            onChange({ active: false });
          }}
        >
          {says.pause}
        </button>
        <button
          class="button"
          disabled={busy}
          onClick={() => {
            onChange({ active: true });
          }}
        >
          {says.resume}
        </button>
        <button class="button" disabled={busy} popovertarget="bulk-tags">
          {says.tags}
        </button>
        <TagsMenu onChange={onChange} />
        <BulkSettings busy={busy} onChange={onChange} />
        <button
          class="button danger"
          disabled={busy || count > MOST_AT_ONCE}
          title={count > MOST_AT_ONCE ? says.tooMany(MOST_AT_ONCE) : undefined}
          onClick={() => {
            onChange({ delete: true });
          }}
        >
          {says.delete}
        </button>
      </span>
    </section>
  );
};

/** A menu that adds tags to the selected checks, or removes tags from them. */
const TagsMenu = ({ onChange }: Pick<BulkBarProps, 'onChange'>): JSX.Element => {
  const text = useSignal('');
  const menu = useRef<HTMLDivElement>(null);
  const { checks: says } = words.value;
  return (
    <div id="bulk-tags" class="menu tags-menu" popover="auto" ref={menu}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const tags = text.value.split(/[\s,]+/).filter(Boolean);
          const isRemoval = event.submitter instanceof HTMLButtonElement && event.submitter.value === 'remove';
          menu.current?.hidePopover();
          text.value = '';
          onChange(isRemoval ? { remove_tags: tags } : { add_tags: tags });
        }}
      >
        <div class="field">
          <label for="bulk-tags-text">{says.tags}</label>
          <div class="input">
            <input
              id="bulk-tags-text"
              type="text"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              required
              pattern={TAGS}
              title={says.tagsHint}
              aria-describedby="bulk-tags-hint"
              value={text.value}
              onInput={({ currentTarget }) => {
                text.value = currentTarget.value;
              }}
            />
          </div>
          <p id="bulk-tags-hint" class="hint">
            {says.tagsHint}
          </p>
        </div>
        <div class="actions">
          <button class="button primary">{says.addTags}</button>
          <button class="button" value="remove">
            {says.removeTags}
          </button>
        </div>
      </form>
    </div>
  );
};
