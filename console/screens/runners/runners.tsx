import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useLive } from '../../live/live-data.ts';
import { ConfirmDialog } from '../../parts/overlays/confirm-dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { LoadedView } from '../../parts/loaded-view.tsx';
import { isPrivateRegion } from '../../parts/region-text.ts';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { currentLocation } from '../../router/router.ts';
import { call } from '../../session/call.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { useRunnerRefresh } from './refresh-runners.ts';
import { List } from './list.tsx';
import { NewRunner } from './new-runner.tsx';
import { sortedRunners } from './order.ts';
import { RenameDrawer } from './rename.tsx';
import { RUNNERS, type Runner } from './source.ts';
import { TokenDrawer, type CreatedToken } from './token.tsx';

/** The action whose dialog is open. */
type CurrentAction =
  | { what: 'create'; region: string | null }
  | { what: 'token'; made: CreatedToken }
  | { what: 'rename' | 'rotate' | 'revoke'; runner: Runner }
  | null;

const NONE: readonly Runner[] = [];

/** The list of remote runners. They are programs on other machines that run the checks of a region. */
const Runners = (): JSX.Element => {
  const isRevoked = currentLocation.value.query.get('tab') === 'revoked';
  const live = useLive(RUNNERS, []);
  const all = (live.loaded.status === 'loading' ? null : live.loaded.value) ?? NONE;
  const shown = useMemo(
    () => sortedRunners(all.filter(({ state }) => (state === 'revoked') === isRevoked)),
    [all, isRevoked],
  );
  useRunnerRefresh(all, live.again);
  const doing = useSignal<CurrentAction>(null);
  const { runners: says, screens } = words.value;
  return (
    <>
      <ScreenHead title={screens.runners}>
        {may('POST /v1/runners') && (
          <button
            class="button primary"
            onClick={() => {
              doing.value = { what: 'create', region: null };
            }}
          >
            <Icon name="add" /> {says.make}
          </button>
        )}
      </ScreenHead>
      <p class="lead">{says.text}</p>
      <Tabs
        label={screens.runners}
        items={[
          { to: '/runners', label: says.inUse },
          { to: '/runners?tab=revoked', label: says.states.revoked },
        ]}
      />
      <LoadedView of={live}>
        {() =>
          shown.length === 0 ? (
            <p class="fine">{isRevoked ? says.noneRevoked : says.none}</p>
          ) : (
            <List
              runners={shown}
              all={all}
              isRevoked={isRevoked}
              onChoose={(action, runner) => {
                doing.value = action === 'add' ? { what: 'create', region: runner.region } : { what: action, runner };
              }}
            />
          )
        }
      </LoadedView>
      <Dialogs
        doing={doing.value}
        onDo={(next) => {
          doing.value = next;
        }}
        onChanged={live.again}
      />
    </>
  );
};
export default Runners;

interface DialogsProps {
  doing: CurrentAction;
  onDo: (next: CurrentAction) => void;
  onChanged: () => void;
}

const Dialogs = ({ doing, onDo, onChanged }: DialogsProps): JSX.Element | null => {
  const says = words.value.runners;
  const done = (): void => {
    onDo(null);
  };
  const show = (made: CreatedToken): void => {
    onDo({ what: 'token', made });
    onChanged();
  };
  switch (doing?.what) {
    case undefined:
      return null;
    case 'create':
      return <NewRunner region={doing.region} onClose={done} onMade={show} />;
    case 'token':
      return <TokenDrawer made={doing.made} onClose={done} />;
    case 'rename':
      return <RenameDrawer runner={doing.runner} onClose={done} onRenamed={onChanged} />;
    case 'rotate':
      return <RotateDialog runner={doing.runner} onClose={done} onRotated={show} />;
    case 'revoke': {
      const { id: runner_id, name, region } = doing.runner;
      return (
        <ConfirmDialog
          title={says.revokeTitle}
          text={<p>{isPrivateRegion(region) ? says.revokeText : `${says.revokeText} ${says.revokePublic}`}</p>}
          action={says.revoke}
          danger
          name={name}
          onClose={done}
          onConfirm={async () => {
            await call('DELETE /v1/runners/{runner_id}', { params: { runner_id } });
            onChanged();
          }}
        />
      );
    }
  }
};

interface RotateDialogProps {
  runner: Runner;
  onClose: () => void;
  onRotated: (made: CreatedToken) => void;
}

const RotateDialog = ({ runner: { id: runner_id, name }, onClose, onRotated }: RotateDialogProps): JSX.Element => {
  const made = useSignal<CreatedToken | null>(null);
  const says = words.value.runners;
  return (
    <ConfirmDialog
      title={says.rotateTitle}
      text={
        <p>
          <bdi>{name}</bdi>: {says.rotateText}
        </p>
      }
      action={says.rotate}
      onClose={() => {
        // Pass on the new token only when this dialog is closed, because the dialog that shows the token opens then.
        if (made.value) onRotated(made.value);
        else onClose();
      }}
      onConfirm={async () => {
        const { token = '' } = await call('POST /v1/runners/{runner_id}/rotate', { params: { runner_id } });
        made.value = { name, token, isRotated: true };
      }}
    />
  );
};
