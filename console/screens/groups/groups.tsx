import type { JSX } from 'preact';
import { useLive } from '../../live/live-data.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { GroupList } from './list.tsx';
import { GROUPS } from './source.ts';

/** The check groups, in their configured order. */
const Groups = (): JSX.Element => {
  const { loaded, again, change } = useLive(GROUPS, []);
  const { screens, groups: says } = words.value;
  const value = loaded.status === 'loading' ? null : loaded.value;
  const create = may('POST /v1/check-groups') && (
    <Link to="/groups/new" class="button primary">
      <Icon name="add" /> {says.new}
    </Link>
  );
  return (
    <div class="groups">
      <ScreenHead title={screens.groups}>{create}</ScreenHead>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && value === null && <FailurePanel failure={loaded.failure} again={again} />}
      {loaded.status === 'failed' && value !== null && <FailureLine failure={loaded.failure} again={again} />}
      {value?.length === 0 && (
        <Panel title={says.empty} text={says.emptyText}>
          {create}
        </Panel>
      )}
      {value !== null && value.length > 0 && (
        <>
          <GroupList groups={value} change={change} again={again} />
          <p class="fine">
            <Link to="/checks?filter=group:none">{says.ungrouped}</Link>
          </p>
        </>
      )}
    </div>
  );
};
export default Groups;
