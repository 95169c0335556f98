import type { JSX } from 'preact';
import { words } from '../../shell/language.ts';

/** Reports that another user has saved the same object, and offers both versions. */
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
