import type { JSX } from 'preact';
import { Icon } from '../../parts/icon.tsx';
import { words } from '../../shell/language.ts';
import { MOST_AT_ONCE, type Action } from './actions.ts';

export interface BulkBarProps {
  /** number of selected alerts */
  count: number;
  /** number of alerts that match the filter */
  matches: number;
  /** whether all matches are selected */
  isAll: boolean;
  busy: boolean;
  /** returns whether an action applies to at least one selected alert */
  open: (action: Action) => boolean;
  onAction: (action: Action) => void;
  onSelectMatching: () => void;
  onClear: () => void;
}

/** The actions on the selected alerts. */
export const BulkBar = (props: BulkBarProps): JSX.Element => {
  const { count, matches, isAll, busy, open, onAction, onSelectMatching, onClear } = props;
  const { alerts: says } = words.value;
  const isTooMany = matches > MOST_AT_ONCE;
  return (
    <section class="bulk" aria-label={says.selection}>
      <strong role="status">{says.selected(count)}</strong>
      <button class="icon-button" aria-label={says.clear} onClick={onClear}>
        <Icon name="close" />
      </button>
      {!isAll && count < matches && (
        <button
          class="button quiet"
          disabled={isTooMany}
          title={isTooMany ? says.tooMany(MOST_AT_ONCE) : undefined}
          onClick={onSelectMatching}
        >
          {says.selectMatches(matches)}
        </button>
      )}
      <span class="actions">
        {(['acknowledge', 'resolve'] as const).map((action) => (
          <button
            key={action}
            class="button"
            disabled={busy || !open(action)}
            onClick={() => {
              onAction(action);
            }}
          >
            {says[action]}
          </button>
        ))}
      </span>
    </section>
  );
};
