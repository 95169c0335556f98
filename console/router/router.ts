import { signal, type ReadonlySignal } from '@preact/signals';
import { CONSOLE_PATH } from '../urls.ts';
import { historyAt } from './histories.ts';

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

/** Returns the URL of a path exactly as given, for links: `/monitoring/console/checks`. */
export const exactHref = (path: string): string => (path === '/' ? CONSOLE_PATH : `${CONSOLE_PATH}${path}`);

/**
 * Adds the moment of the current location to a path, so that all parts of a resource are shown at the same moment.
 * Paths of other resources show the present.
 */
const withMoment = (path: string): string => {
  const here = current.value;
  const at = here.query.get('at');
  if (at === null) return path;
  const [there = path, query = ''] = path.split('?');
  const history = historyAt(there);
  const params = new URLSearchParams(query);
  if (history === null || history.resource !== historyAt(here.path)?.resource || params.has('at')) return path;
  params.set('at', at);
  return `${there}?${params.toString()}`;
};

/** Returns the URL of a path, for links: `/monitoring/console/checks`. Keeps the moment of a past state. */
export const hrefOf = (path: string): string => exactHref(withMoment(path));

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
const isNavigationCancelled = ({ path, query }: ConsoleLocation): boolean => {
  const here = current.peek();
  const isSame = path === here.path && query.get('at') === here.query.get('at');
  return mayLeave !== null && !isSame && !mayLeave();
};

/**
 * Navigates to a location.
 *
 * @param replace whether to replace the current history entry
 * @param exact whether to use the path as it is, without adding the moment of a past state
 */
export const navigate = (path: string, { replace = false, exact = false } = {}): void => {
  const href = exact ? exactHref(path) : hrefOf(path);
  const { pathname, search } = new URL(href, location.href);
  if (isNavigationCancelled(locationOf({ pathname, search }))) return;
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
    if (isNavigationCancelled(next))
      history.pushState(null, '', `${exactHref(path)}${query.size > 0 ? `?${query.toString()}` : ''}`);
    else current.value = next;
  });
  document.addEventListener('click', (event) => {
    const url = ownLink(event);
    if (!url) return;
    event.preventDefault();
    navigate(`${url.pathname.slice(CONSOLE_PATH.length) || '/'}${url.search}`, { exact: true });
  });
};
