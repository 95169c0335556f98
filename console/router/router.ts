import { signal, type ReadonlySignal } from '@preact/signals';
import { CONSOLE_PATH } from '../urls.ts';

/** The current location: a path below the console's root, with a leading slash, and the query. */
export interface ConsoleLocation {
  /** `/checks/x4w8b2h7t1zq`; the overview is `/` */
  path: string;
  query: URLSearchParams;
}

const locationOf = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): ConsoleLocation => ({
  path: pathname.slice(CONSOLE_PATH.length).replace(/\/+$/, '') || '/',
  query: new URLSearchParams(search),
});

const current = signal<ConsoleLocation>(locationOf(location));

/** The current location; a screen that reads it is rendered again when it changes. */
export const currentLocation: ReadonlySignal<ConsoleLocation> = current;

/** Returns the URL of a path, for links: `/monitoring/console/checks`. */
export const hrefOf = (path: string): string => (path === '/' ? CONSOLE_PATH : `${CONSOLE_PATH}${path}`);

/** Decides whether the console may leave the current location; null: always. */
let mayLeave: (() => boolean) | null = null;

/** Calls `ask` before each navigation to another screen. @returns a function that removes the guard */
export const guardNavigation = (ask: () => boolean): (() => void) => {
  mayLeave = ask;
  return () => {
    if (mayLeave === ask) mayLeave = null;
  };
};

/** Returns whether the user cancels the navigation because of unsaved changes. */
const isNavigationCancelled = (path: string): boolean =>
  mayLeave !== null && path !== current.peek().path && !mayLeave();

/** Navigates to a location. @param replace whether to replace the current history entry */
export const navigate = (path: string, { replace = false } = {}): void => {
  if (isNavigationCancelled(path.split('?')[0] ?? path)) return;
  const href = hrefOf(path);
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  current.value = locationOf(location);
};

/**
 * Returns the URL of a clicked link if the link leads to a screen of the console. Returns null for all other links,
 * which the browser follows.
 */
const ownLink = (event: MouseEvent): URL | null => {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return null;
  const url = new URL(link.href);
  const isOwn =
    url.origin === location.origin && (url.pathname === CONSOLE_PATH || url.pathname.startsWith(`${CONSOLE_PATH}/`));
  return isOwn && url.hash === '' ? url : null;
};

/** Starts handling links and the browser's history. */
export const startRouter = (): void => {
  addEventListener('popstate', () => {
    const next = locationOf(location);
    const { path, query } = current.peek();
    if (isNavigationCancelled(next.path))
      history.pushState(null, '', `${hrefOf(path)}${query.size > 0 ? `?${query.toString()}` : ''}`);
    else current.value = next;
  });
  document.addEventListener('click', (event) => {
    const url = ownLink(event);
    if (!url) return;
    event.preventDefault();
    navigate(`${url.pathname.slice(CONSOLE_PATH.length) || '/'}${url.search}`);
  });
};
