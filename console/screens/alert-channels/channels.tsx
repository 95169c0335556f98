import type { JSX } from 'preact';
import { useLive } from '../../live/live-data.ts';
import { Icon } from '../../parts/icon.tsx';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Panel } from '../../parts/panel.tsx';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { AlertsHead } from '../alerts/head.tsx';
import { CHANNELS } from './source.ts';
import { ChannelsTable } from './table.tsx';

/** The list of alert channels. */
const Channels = (): JSX.Element => {
  const { loaded, again, change } = useLive(CHANNELS, []);
  const { alertChannels: says } = words.value;
  const value = loaded.status === 'loading' ? null : loaded.value;
  const add = may('POST /v1/alerts/channels') && (
    <Link to="/alerts/channels/new" class="button primary">
      <Icon name="add" />
      {says.add}
    </Link>
  );
  return (
    <>
      <AlertsHead>{add}</AlertsHead>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' &&
        (value ? (
          <FailureLine failure={loaded.failure} again={again} />
        ) : (
          <FailurePanel failure={loaded.failure} again={again} />
        ))}
      {value?.length === 0 && <Panel title={says.none} text={says.noneText} />}
      {value && value.length > 0 && <ChannelsTable channels={value} change={change} again={again} />}
    </>
  );
};
export default Channels;
