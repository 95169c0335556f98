import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { placePopover } from '../../parts/overlays/place-popover.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { DurationField } from '../../parts/form/duration-field.tsx';
import { NumberField } from '../../parts/form/number-field.tsx';
import { Loading } from '../../parts/loading.tsx';
import { call } from '../../session/call.ts';
import { useLoaded } from '../../session/loaded.ts';
import { words } from '../../shell/language.ts';
import { allGroups } from '../check-form/choices.ts';
import { Checkboxes } from '../check-form/checkboxes.tsx';
import type { BulkChange } from './actions.ts';

interface SettingsProps {
  busy: boolean;
  onChange: (change: BulkChange) => void;
}

/** Buttons that change the group, the interval, the channels, the timeout or the regions of all selected checks. */
export const BulkSettings = ({ busy, onChange }: SettingsProps): JSX.Element => {
  const says = words.value.bulk;
  return (
    <>
      <Popup label={says.group} busy={busy}>
        {(close) => <GroupForm onChange={closing(close, onChange)} />}
      </Popup>
      <Popup label={says.interval} busy={busy}>
        {(close) => <IntervalForm onChange={closing(close, onChange)} />}
      </Popup>
      <Popup label={says.channels} busy={busy}>
        {(close) => <ChannelsForm onChange={closing(close, onChange)} />}
      </Popup>
      <Popup label={says.more} busy={busy}>
        {(close) => (
          <>
            <TimeoutForm onChange={closing(close, onChange)} />
            <RegionsForm onChange={closing(close, onChange)} />
          </>
        )}
      </Popup>
    </>
  );
};

type Change = (change: BulkChange) => void;

const closing =
  (close: () => void, onChange: Change): Change =>
  (change) => {
    close();
    onChange(change);
  };

interface PopupProps {
  label: string;
  busy: boolean;
  /** renders the content while the popup is open */
  children: (close: () => void) => ComponentChildren;
}

/** A button of the bulk bar that opens a form above the bar. */
const Popup = ({ label, busy, children }: PopupProps): JSX.Element => {
  const id = useId();
  const isOpen = useSignal(false);
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // Position the popup again when loaded content changes its height.
  useEffect(() => {
    const { current } = menu;
    if (!isOpen.value || !current) return;
    const watch = new ResizeObserver(() => {
      if (button.current) placePopover(current, button.current);
    });
    watch.observe(current);
    return () => {
      watch.disconnect();
    };
  }, [isOpen.value]);
  return (
    <>
      <button ref={button} class="button" disabled={busy} popovertarget={id} aria-haspopup="dialog">
        {label}
      </button>
      <div
        ref={menu}
        id={id}
        class="menu bulk-menu"
        popover="auto"
        role="dialog"
        aria-label={label}
        onToggle={(event) => {
          isOpen.value = event.newState === 'open';
        }}
      >
        {isOpen.value && children(() => menu.current?.hidePopover())}
      </div>
    </>
  );
};

interface SetFormProps {
  /** whether a value is chosen */
  isReady: boolean;
  onSet: () => void;
  children: ComponentChildren;
}

const SetForm = ({ isReady, onSet, children }: SetFormProps): JSX.Element => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      if (isReady) onSet();
    }}
  >
    {children}
    <button class="button primary" disabled={!isReady}>
      {words.value.bulk.set}
    </button>
  </form>
);

const GroupForm = ({ onChange }: { onChange: Change }): JSX.Element => {
  const { loaded, again } = useLoaded(allGroups, []);
  const says = words.value.bulk;
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed') return <FailureLine failure={loaded.failure} again={again} />;
  const choices = [{ id: null, name: says.noGroup }, ...loaded.value];
  return (
    <ul class="menu-list">
      {choices.map(({ id, name }) => (
        <li key={id ?? ''}>
          <button
            type="button"
            onClick={() => {
              onChange({ group_id: id });
            }}
          >
            <bdi>{name}</bdi>
          </button>
        </li>
      ))}
    </ul>
  );
};

const IntervalForm = ({ onChange }: { onChange: Change }): JSX.Element => {
  const interval = useSignal<number | null>(60);
  const { value } = interval;
  return (
    <SetForm
      isReady={value !== null}
      onSet={() => {
        if (value !== null) onChange({ interval: value });
      }}
    >
      <DurationField label={words.value.bulk.interval} name="interval" value={interval} />
    </SetForm>
  );
};

const TimeoutForm = ({ onChange }: { onChange: Change }): JSX.Element => {
  const timeout = useSignal<number | null>(10);
  const { value } = timeout;
  return (
    <SetForm
      isReady={value !== null}
      onSet={() => {
        if (value !== null) onChange({ timeout: value });
      }}
    >
      <NumberField
        label={words.value.bulk.timeout}
        name="timeout"
        min={1}
        max={120}
        step="any"
        unit={words.value.common.units.second}
        value={timeout}
      />
    </SetForm>
  );
};

const ChannelsForm = ({ onChange }: { onChange: Change }): JSX.Element => {
  const { loaded, again } = useLoaded((signal) => call('GET /v1/alerts/channels', {}, { signal }), []);
  const chosen = useSignal<readonly string[]>([]);
  const says = words.value.bulk;
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed') return <FailureLine failure={loaded.failure} again={again} />;
  if (loaded.value.length === 0) return <p class="hint">{says.noChannels}</p>;
  return (
    <SetForm
      isReady={chosen.value.length > 0}
      onSet={() => {
        onChange({ channel_ids: chosen.value });
      }}
    >
      <Checkboxes
        label={says.channels}
        name="channel_ids"
        hint={says.channelsHint}
        value={chosen}
        options={loaded.value.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </SetForm>
  );
};

const RegionsForm = ({ onChange }: { onChange: Change }): JSX.Element => {
  const { loaded, again } = useLoaded((signal) => call('GET /v1/checks/get-regions', {}, { signal }), []);
  const chosen = useSignal<readonly string[]>([]);
  if (loaded.status === 'loading') return <Loading />;
  if (loaded.status === 'failed') return <FailureLine failure={loaded.failure} again={again} />;
  return (
    <SetForm
      isReady={chosen.value.length > 0}
      onSet={() => {
        onChange({ parameters: { regions: chosen.value } });
      }}
    >
      <Checkboxes
        label={words.value.bulk.regions}
        name="regions"
        value={chosen}
        options={loaded.value.regions.map(({ id, display_name }) => ({ value: id, label: display_name }))}
      />
    </SetForm>
  );
};
