import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Link } from '../parts/link.tsx';
import { Menu } from '../parts/overlays/menu.tsx';
import { words } from '../shell/language.ts';
import { addressOf, savedViews, type ListWithViews } from './default-view.ts';
import { ManageDialog } from './manage-dialog.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { isSameQuery } from './views.ts';

export interface SavedViewsProps extends ListWithViews {
  /** query of the current filter; empty: no filter */
  query: string;
}

/** The menu of a list's saved views, which can also save the current filter. */
export const SavedViews = (props: SavedViewsProps): JSX.Element => {
  const { list, query } = props;
  const dialog = useSignal<'save' | 'manage' | null>(null);
  const { value, change } = savedViews(list);
  const { views, byDefault } = value.value;
  const { savedViews: says } = words.value;
  const close = (): void => {
    dialog.value = null;
  };
  const isSaved = views.some((view) => isSameQuery(view.query, query));
  return (
    <>
      <Menu label={says.title}>
        <Link to={addressOf(props, '')} current={query === ''}>
          {says.everything}
        </Link>
        {views.map((view) => (
          <Link key={view.name} to={addressOf(props, view.query)} current={isSameQuery(view.query, query)}>
            <bdi>{view.name}</bdi>
            {view.name === byDefault && <span class="fine"> {says.byDefault}</span>}
          </Link>
        ))}
        {query !== '' && !isSaved && (
          <button
            type="button"
            onClick={() => {
              dialog.value = 'save';
            }}
          >
            {says.save}
          </button>
        )}
        {views.length > 0 && (
          <button
            type="button"
            onClick={() => {
              dialog.value = 'manage';
            }}
          >
            {says.manage}
          </button>
        )}
        {views.length === 0 && query === '' && <p class="fine">{says.none}</p>}
      </Menu>
      {dialog.value === 'save' && <SaveDialog views={value.value} query={query} onChange={change} onClose={close} />}
      {dialog.value === 'manage' && <ManageDialog views={value.value} onChange={change} onClose={close} />}
    </>
  );
};
