import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { NotFoundPanel } from '../../parts/not-found-panel.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { navigate } from '../../router/router.ts';
import type { Params } from '../../router/match.ts';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import type { Group } from '../groups/source.ts';
import { Swatch } from '../groups/swatch.tsx';
import { GroupForm } from './form.tsx';

/** Creates or changes a group. */
const GroupScreen = ({ params }: { params: Params }): JSX.Element => {
  const id = params['group_id'] ?? null;
  const { failure, groups: says, screens } = words.value;
  if (id !== null) return <Loaded key={id} id={id} />;
  if (!may('POST /v1/check-groups')) return <Panel title={failure.forbidden} />;
  return (
    <div class="group">
      <ScreenHead title={says.new} back={{ to: '/groups', label: screens.groups }} />
      <GroupForm group={null} onReload={() => undefined} />
    </div>
  );
};
export default GroupScreen;

const Loaded = ({ id }: { id: string }): JSX.Element => {
  const { loaded, again } = useLoaded(
    (signal) => call('GET /v1/check-groups/{group_id}', { params: { group_id: id } }, { signal }),
    [id],
  );
  const { screens } = words.value;
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed' && loaded.failure.status === 404)
    return <NotFoundPanel to="/groups" label={screens.groups} />;
  if (loaded.status === 'failed') return <FailurePanel failure={loaded.failure} again={again} />;
  return <Shown group={loaded.value} onReload={again} />;
};

const Shown = ({ group, onReload }: { group: Group; onReload: () => void }): JSX.Element => {
  const deleting = useSignal(false);
  const { groups: says, common, screens } = words.value;
  const { id, name, description, color, checks_count, revision } = group;
  return (
    <div class="group">
      <ScreenHead title={name} isName of={group} back={{ to: '/groups', label: screens.groups }}>
        <Link to={`/checks?filter=group:${id}`} class="button">
          {says.checks(checks_count)}
        </Link>
        {may('DELETE /v1/check-groups/{group_id}') && (
          <button
            class="button danger"
            onClick={() => {
              deleting.value = true;
            }}
          >
            {common.delete}
          </button>
        )}
      </ScreenHead>
      {may('PATCH /v1/check-groups/{group_id}') ? (
        <GroupForm key={revision} group={group} onReload={onReload} />
      ) : (
        <Facts
          facts={[
            [common.description, <bdi>{description ?? '–'}</bdi>],
            [says.color, color === null ? says.noColor : <Swatch color={color} />],
          ]}
        />
      )}
      {deleting.value && (
        <ConfirmDialog
          title={says.deleteTitle}
          text={
            <>
              <p>
                <bdi>{name}</bdi>
              </p>
              {checks_count > 0 && <p>{says.deleteText(says.checks(checks_count))}</p>}
            </>
          }
          action={common.delete}
          danger
          onConfirm={async () => {
            await call('DELETE /v1/check-groups/{group_id}', { params: { group_id: id } });
            navigate('/groups');
          }}
          onClose={() => {
            deleting.value = false;
          }}
        />
      )}
    </div>
  );
};
