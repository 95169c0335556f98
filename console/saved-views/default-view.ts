import { useLayoutEffect } from 'preact/hooks';
import { navigate, currentLocation } from '../router/router.ts';
import { storedForUser, type Stored } from '../session/stored.ts';
import { parseViews, type SavedViews } from './views.ts';

/** A list for which users can save views. */
export interface ListWithViews {
  /** key of the list in this browser's storage */
  list: string;
  /** path of the list below the console's root */
  path: string;
  /** the query that shows the complete list, even if there is a default view */
  everything: string;
}

/** Returns the saved views of a list for the signed-in user, stored in this browser. */
export const savedViews = (list: string): Stored<SavedViews> => storedForUser(`views of ${list}`, parseViews);

/** Returns the path of a filtered list, below the console's root. @param query empty: the complete list */
export const addressOf = ({ list, path, everything }: ListWithViews, query: string): string => {
  if (query !== '') return `${path}?${query}`;
  return savedViews(list).value.peek().byDefault === null ? path : `${path}?${everything}`;
};

/** Opens a list with its default view if its URL has no filter. */
export const useDefaultView = ({ list, path }: ListWithViews): void => {
  const here = currentLocation.value;
  useLayoutEffect(() => {
    const { views, byDefault } = savedViews(list).value.peek();
    const view = views.find(({ name }) => name === byDefault);
    if (view && here.path === path && here.query.size === 0) navigate(`${path}?${view.query}`, { replace: true });
  }, [here]);
};
