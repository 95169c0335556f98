import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useLive } from '../../live/live-data.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { words } from '../../shell/language.ts';
import { CHECKS } from '../checks/source.ts';
import { useListLocation } from '../heartbeats/list-location.ts';
import { countsOf, type TagCounts } from './counts.ts';
import { RenameDialog, Usage } from './rename-dialog.tsx';
import { ALL_HEARTBEATS, replaceTag } from './source.ts';
import { TagTable } from './table.tsx';

/** Maximum number of rendered rows. Further tags can be found with the filter. */
const MOST_SHOWN = 300;

/** All tags with their counts. */
const Tags = (): JSX.Element => {
  const sources = { checks: useLive(CHECKS, []), heartbeats: useLive(ALL_HEARTBEATS, []) };
  const at = useListLocation('/tags');
  const asked = useSignal<{ what: 'rename' | 'remove'; counts: TagCounts } | null>(null);
  const { screens, tags: says, common } = words.value;
  const [ofChecks, ofHeartbeats] = [sources.checks.loaded, sources.heartbeats.loaded];
  const checks = ofChecks.status === 'loading' ? null : ofChecks.value;
  const heartbeats = ofHeartbeats.status === 'loading' ? null : ofHeartbeats.value;
  const all = useMemo(() => countsOf(checks?.values() ?? [], heartbeats ?? []), [checks, heartbeats]);
  const failed = [ofChecks, ofHeartbeats].find((one) => one.status === 'failed');
  const again = (): void => {
    sources.checks.again();
    sources.heartbeats.again();
  };
  if (checks === null || heartbeats === null) {
    return failed?.status === 'failed' ? <FailurePanel failure={failed.failure} again={again} /> : <Loading />;
  }
  const found = all.filter(({ tag }) => tag.includes(at.line.trim().toLowerCase()));
  const replace = (next: string | null) => replaceTag({ checks, heartbeats }, asked.value?.counts.tag ?? '', next);
  const close = (): void => {
    asked.value = null;
  };
  const counts = asked.value?.counts;
  return (
    <div class="tags-screen">
      <ScreenHead title={screens.tags} />
      {failed?.status === 'failed' && <FailureLine failure={failed.failure} again={again} />}
      {all.length === 0 ? (
        <Panel title={says.empty} text={says.emptyText} />
      ) : (
        <>
          <div class="filter" role="search">
            <input
              type="search"
              value={at.line}
              onInput={({ currentTarget }) => {
                at.set(currentTarget.value);
              }}
              aria-label={says.filter}
              placeholder={says.filter}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
            />
            <span class="fine" role="status">
              {says.matches(found.length)}
            </span>
          </div>
          {found.length === 0 ? (
            <p class="nothing">{says.noMatch}</p>
          ) : (
            <TagTable
              rows={found.slice(0, MOST_SHOWN)}
              onAsk={(what, row) => {
                asked.value = { what, counts: row };
              }}
            />
          )}
          {found.length > MOST_SHOWN && <p class="fine">{says.more(found.length - MOST_SHOWN)}</p>}
        </>
      )}
      {counts && asked.value?.what === 'rename' && <RenameDialog counts={counts} onRename={replace} onClose={close} />}
      {counts && asked.value?.what === 'remove' && (
        <ConfirmDialog
          title={says.removeTitle(counts.tag)}
          text={
            <>
              <Usage counts={counts} />
              <p>{says.removeText}</p>
            </>
          }
          action={common.remove}
          danger
          onConfirm={() => replace(null)}
          onClose={close}
        />
      )}
    </div>
  );
};
export default Tags;
