import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { unreachable } from '../api/failure.ts';
import { startLive } from '../live/live.ts';
import { FailureLine } from '../parts/failure-line.tsx';
import { firstCheck } from '../parts/first-check.ts';
import { Icon } from '../parts/icon.tsx';
import { LazyComponent } from '../parts/lazy-component.tsx';
import { Link } from '../parts/link.tsx';
import { isPastOpen, pastMoment } from '../past/past.ts';
import { historyAt } from '../router/histories.ts';
import { SERVICE_URL } from '../urls.ts';
import { currentLocation } from '../router/router.ts';
import { call } from '../session/call.ts';
import { useLoaded } from '../session/loaded.ts';
import { user } from '../session/session.ts';
import { AccountMenu } from './account-menu.tsx';
import { words } from './language.ts';
import { isAt, NAVIGATION } from './navigation.ts';
import { Overlays } from './overlays.tsx';
import { Screen } from './screen.tsx';
import { SearchButton } from './search-button.tsx';
import { StaleBadge } from './stale-badge.tsx';

const loadPastBar = () => import('../past/past-bar.tsx');
const loadFirstResult = () => import('../screens/check-start/first-result.tsx');

/** The frame of every screen: the sidebar, the top bar, and the area for the screen. */
export const Shell = (): JSX.Element => {
  const main = useRef<HTMLElement>(null);
  const { path } = currentLocation.value;
  const first = useRef(true);
  const isPast = pastMoment.value !== null;
  const wasPast = useRef(isPast);
  useEffect(() => {
    // The `key` of this component is the user's id, so the effect never has to change the user.
    const who = user.peek();
    // A past state does not change, so its screen follows no stream.
    if (!who || isPast) return;
    const isLate = wasPast.current;
    wasPast.current = true;
    return startLive(who.id, isLate);
  }, [isPast]);
  useEffect(() => {
    if (first.current) first.current = false;
    else main.current?.focus();
    document.getElementById('navigation')?.hidePopover();
    if (path !== `/checks/${firstCheck.value?.id ?? ''}`) firstCheck.value = null;
  }, [path]);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        {words.value.skipToContent}
      </a>
      <Sidebar />
      <header class="top">
        <button
          class="icon-button only-narrow"
          popovertarget="navigation"
          aria-label={words.value.shell.openNavigation}
        >
          <Icon name="menu" />
        </button>
        <OrganizationName />
        <StaleBadge />
        <SearchButton />
        <AccountMenu />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {firstCheck.value && path === `/checks/${firstCheck.value.id}` && <LazyComponent load={loadFirstResult} />}
        {(isPast || isPastOpen.value) && historyAt(path) && (
          <LazyComponent load={loadPastBar} failed={(again) => <PastFailure again={again} />} />
        )}
        <Screen />
      </main>
      <Overlays />
    </div>
  );
};

/** The sidebar. On a phone, it is hidden until the user opens it with a button. */
const Sidebar = (): JSX.Element => {
  const { screens, shell } = words.value;
  const { path } = currentLocation.value;
  return (
    <nav id="navigation" class="sidebar" popover="auto" aria-label={shell.navigation}>
      <div class="sidebar-head">
        <Link to="/" class="brand">
          <Icon name="logo" /> Uptrail
        </Link>
        <button
          class="icon-button only-narrow"
          popovertarget="navigation"
          popovertargetaction="hide"
          aria-label={shell.closeNavigation}
        >
          <Icon name="close" />
        </button>
      </div>
      <ul>
        {NAVIGATION.filter(({ shown }) => shown?.() ?? true).map((item) => (
          <li key={item.path} class={item.begins ? 'begins' : undefined}>
            <Link to={item.path} current={isAt(item.path, path)}>
              <Icon name={item.icon} /> {screens[item.name]}
              {item.Badge && <item.Badge />}
            </Link>
          </li>
        ))}
      </ul>
      <ul class="elsewhere">
        <li>
          <a href={new URL('docs', SERVICE_URL).href}>
            <Icon name="documentation" /> {shell.documentation}
          </a>
        </li>
      </ul>
    </nav>
  );
};

/** Shown if the control for past states can't be loaded. Says which moment the screen shows, as the control does. */
const PastFailure = ({ again }: { again: () => void }): JSX.Element => (
  <>
    {pastMoment.value !== null && (
      <p class="notice" role="alert">
        {words.value.past.stateOf(`${pastMoment.value} UTC`)}
      </p>
    )}
    <FailureLine failure={unreachable()} again={again} />
  </>
);

const OrganizationName = (): JSX.Element => {
  const id = user.value?.organization_id;
  const { loaded } = useLoaded((signal) => call('GET /v1/organizations', {}, { signal, present: true }), [id]);
  const name = loaded.status === 'loaded' ? loaded.value[0]?.name : undefined;
  return <bdi class="organization">{name ?? ''}</bdi>;
};
