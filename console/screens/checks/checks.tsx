import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLive } from '../../live/live-data.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { NoChecks } from '../../parts/no-checks.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { List } from './list.tsx';
import { CHECKS, type Rows } from './source.ts';

const NONE: Rows = new Map();

/** The check list, failing checks first. */
const Checks = (): JSX.Element => {
  const { loaded, again, change } = useLive(CHECKS, []);
  const title = words.value.screens.checks;
  useEffect(() => {
    document.title = `${title} · Uptrail`;
  }, [title]);
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed' && loaded.value === null)
    return <FailurePanel failure={loaded.failure} again={again} />;
  const rows = loaded.value ?? NONE;
  if (rows.size === 0) return <NoChecks />;
  return (
    <>
      <ScreenHead title={title}>
        {may('POST /v1/checks') && (
          <Link to="/checks/new" class="button primary">
            <Icon name="add" /> {words.value.bulk.newCheck}
          </Link>
        )}
      </ScreenHead>
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      <List rows={rows} change={change} />
    </>
  );
};
export default Checks;
