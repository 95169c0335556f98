import type { JSX } from 'preact';
import { words } from '../../shell/language.ts';

/** Says that somebody else has saved meanwhile what is being saved, and offers the two ways on. */
export const ConflictNotice = ({ onTheirs, onMine }: { onTheirs: () => void; onMine: () => void }): JSX.Element => {
  const { common } = words.value;
  return (
    <div class="notice conflict" role="alert">
      <p>{common.changedMeanwhile}</p>
      <p class="actions">
        <button type="button" class="button" onClick={onTheirs}>
          {common.loadTheirs}
        </button>
        <button type="button" class="button" onClick={onMine}>
          {common.saveAnyway}
        </button>
      </p>
    </div>
  );
};
