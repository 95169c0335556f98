import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLive } from '../../live/live-data.ts';
import { FailureLine } from '../../parts/failure-line.tsx';
import { FailurePanel } from '../../parts/failure-panel.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Link } from '../../parts/link.tsx';
import { Loading } from '../../parts/loading.tsx';
import { NotFoundPanel } from '../../parts/not-found-panel.tsx';
import { Panel } from '../../parts/panel.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Toast } from '../../parts/overlays/toast.tsx';
import type { Params } from '../../router/match.ts';
import { may } from '../../session/permissions.ts';
import { words } from '../../shell/language.ts';
import { addressHere, addressOfDomain } from '../pages/address.ts';
import { Appearance } from './appearance/appearance.tsx';
import { Components } from './components/components.tsx';
import type { Page } from './draft.ts';
import { Domain } from './settings/domain.tsx';
import { Email } from './settings/email.tsx';
import { Passwords } from './settings/passwords.tsx';
import { Settings } from './settings/settings.tsx';
import { pageSource } from './source.ts';
import { Subscribers } from './subscribers/subscribers.tsx';
import type { ActionNotice, TabProps } from './tab-props.ts';

/** The tabs of a page by the last segment of their path. */
const TABS = {
  components: Components,
  appearance: Appearance,
  settings: Settings,
  domain: Domain,
  email: Email,
  passwords: Passwords,
  subscribers: Subscribers,
} as const satisfies Record<string, (props: TabProps) => JSX.Element | null>;
type TabName = keyof typeof TABS;

const NAMES = Object.keys(TABS) as TabName[];
const SAID_MS = 5_000;

/** The screen of a status page with all its settings. */
const PageScreen = ({ params }: { params: Params }): JSX.Element => {
  const id = params['page_id'] ?? '';
  const tab = NAMES.find((name) => name === (params['tab'] ?? 'components'));
  const { loaded, again, change } = useLive(pageSource(id), [id]);
  const { failure, pages: says } = words.value;
  if (loaded.status === 'loading') return <Loading />;
  const isGone = loaded.status === 'failed' && (loaded.failure.status === 404 || loaded.failure.status === 400);
  if (isGone) return <NotFoundPanel to="/pages" label={says.title} />;
  if (!tab) {
    return (
      <Panel title={failure.notFound} text={failure.notFoundText}>
        <Link to="/pages" class="button">
          {says.title}
        </Link>
      </Panel>
    );
  }
  const page = loaded.value;
  if (!page) return loaded.status === 'failed' ? <FailurePanel failure={loaded.failure} again={again} /> : <Loading />;
  return (
    <>
      <Head page={page} />
      {loaded.status === 'failed' && <FailureLine failure={loaded.failure} again={again} />}
      <Tab
        key={tab}
        tab={tab}
        page={page}
        onSaved={(saved) => {
          change(() => saved);
        }}
      />
    </>
  );
};
export default PageScreen;

const Tab = ({ tab, page, onSaved }: { tab: TabName; page: Page; onSaved: (page: Page) => void }): JSX.Element => {
  const notice = useSignal<(ActionNotice & { number: number }) | null>(null);
  const Shown = TABS[tab];
  return (
    <>
      <Shown
        page={page}
        onSaved={onSaved}
        notify={(what) => {
          notice.value = { ...what, number: (notice.peek()?.number ?? 0) + 1 };
        }}
      />
      {notice.value && (
        <Toast
          key={notice.value.number}
          ms={SAID_MS}
          onClose={() => {
            notice.value = null;
          }}
        >
          <bdi>{notice.value.text}</bdi>
          {notice.value.undo && (
            <button
              class="button"
              onClick={() => {
                const { undo } = notice.value ?? {};
                notice.value = null;
                undo?.();
              }}
            >
              {words.value.common.undo}
            </button>
          )}
        </Toast>
      )}
    </>
  );
};

const Head = ({ page }: { page: Page }): JSX.Element => {
  const { pages: says } = words.value;
  const at = `/pages/${page.id}`;
  return (
    <>
      <ScreenHead title={page.name} isName of={page} back={{ to: '/pages', label: says.title }}>
        <a class="button" href={addressOfDomain(page) ?? addressHere(page)} target="_blank" rel="noopener noreferrer">
          {says.openPage} <Icon name="external" />
        </a>
        {may('POST /v1/pages/{page_id}/incidents') && (
          <Link to={`${at}/incidents/new`} class="button primary">
            <Icon name="add" />
            {says.newIncident}
          </Link>
        )}
      </ScreenHead>
      <Tabs
        label={says.parts}
        items={NAMES.map((name) => ({ to: name === 'components' ? at : `${at}/${name}`, label: says.tabs[name] }))}
      />
    </>
  );
};
