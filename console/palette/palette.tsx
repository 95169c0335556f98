import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import type { Failure } from '../api/failure.ts';
import { FailureLine } from '../parts/failure-line.tsx';
import { Icon } from '../parts/icon.tsx';
import { hrefOf, navigate, currentLocation } from '../router/router.ts';
import { words } from '../shell/language.ts';
import type { OverlayProps } from '../shell/overlay.ts';
import { useOverlayDialog } from '../shell/use-overlay-dialog.ts';
import type { PaletteItem } from './item.ts';
import { groupItems, visibleGroups } from './visible-items.ts';
import { rankedMatches } from './ranking.ts';
import { useIncidentPages } from './new-incident.ts';
import { recentlyOpened } from './recently-opened.ts';
import { optionId, Results } from './results.tsx';
import { useSearch } from './use-search.ts';

/** Number of items that Page Up and Page Down move by. */
const PAGE = 8;

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE };

/**
 * Returns the index after a move through the list. A move by one item wraps around; a longer move stops at the end of
 * the list.
 */
const moved = (place: number, by: number, count: number): number =>
  Math.abs(by) === 1 ? (place + by + count) % count : Math.max(0, Math.min(count - 1, place + by));

/** Finds screens, checks, heartbeats and pages, and performs actions that are available everywhere. */
const Palette = ({ kind }: OverlayProps): JSX.Element => {
  const { close, attributes } = useOverlayDialog(kind);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const text = useSignal('');
  /** id of the item that the arrow keys or the pointer selected; null: the first item is selected */
  const pointed = useSignal<string | null>(null);
  /** whether the user pressed Enter before there were results */
  const isAwaited = useRef(false);
  const failure = useSignal<Failure | null>(null);
  const { close: closeWord, palette: says } = words.value;
  const isChoice = kind === 'new incident';

  const typed = text.value.trim();
  const choose = (item: PaletteItem, inNewTab = false): void => {
    if (item.to !== undefined && inNewTab) {
      open(hrefOf(item.to), '_blank', 'noopener');
      return;
    }
    if (!item.keepsOpen) close();
    if (item.to !== undefined) navigate(item.to);
    failure.value = null;
    Promise.resolve(item.act?.()).catch((error: unknown) => {
      failure.value = error as Failure;
    });
  };

  const search = useSearch(isChoice ? '' : typed);
  const incident = useIncidentPages(isChoice, choose);
  const groups = isChoice
    ? groupItems(rankedMatches(incident.pages ?? [], typed, ({ name }) => name))
    : visibleGroups(typed, search.found, recentlyOpened().value.value, currentLocation.value.path);
  const items = groups.flatMap((group) => group.items);
  const active = items.find(({ id }) => id === pointed.value) ?? items[0] ?? null;
  const isBusy = isChoice ? incident.pages === null && incident.failure === null : search.isSearching;

  useLayoutEffect(() => {
    field.current?.focus();
  }, []);
  // `useEffect` would run after a frame, and delete what the user has typed in the meantime.
  useLayoutEffect(() => {
    text.value = '';
    pointed.value = null;
  }, [kind]);
  useEffect(() => {
    document.getElementById(optionId(listId, groups, active?.id ?? null) ?? '')?.scrollIntoView({ block: 'nearest' });
  }, [active?.id]);
  useEffect(() => {
    if (!isAwaited.current) return;
    const first = search.found.text === typed ? search.found.items[0] : undefined;
    if (first || !isBusy) isAwaited.current = false;
    if (first) choose(first);
  });

  /** Handles keys in the search field that control the list. */
  const hear = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    const step = STEPS[event.key];
    if (step !== undefined && !event.altKey && items.length > 0) {
      event.preventDefault();
      const at = active ? items.indexOf(active) : 0;
      pointed.value = items[moved(at, step, items.length)]?.id ?? null;
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // If the user presses Enter before the results have arrived, Enter chooses the first of them.
      if (isBusy && pointed.value === null && (active === null || active.id === 'in list')) isAwaited.current = true;
      else if (active) choose(active, event.ctrlKey || event.metaKey);
    }
  };

  const nothing = isChoice && typed === '' ? says.noPages : says.nothing;
  const state = isBusy ? says.searching : items.length > 0 ? says.results(items.length) : nothing;
  const shownFailure = failure.value ?? incident.failure ?? search.failure;
  return (
    <dialog class="palette" aria-label={isChoice ? says.newIncident : says.title} {...attributes}>
      <div class="field-line">
        <Icon name="search" />
        <input
          ref={field}
          type="text"
          dir="auto"
          role="combobox"
          aria-label={isChoice ? says.choosePage : says.title}
          aria-autocomplete="list"
          aria-expanded={items.length > 0}
          aria-controls={items.length > 0 ? listId : undefined}
          aria-activedescendant={optionId(listId, groups, active?.id ?? null)}
          placeholder={isChoice ? says.choosePage : says.placeholder}
          maxLength={200}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="go"
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
            pointed.value = null;
            isAwaited.current = false;
          }}
          onKeyDown={hear}
        />
        <button type="button" class="icon-button" aria-label={closeWord} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      {shownFailure && <FailureLine failure={shownFailure} />}
      {items.length > 0 && (
        <Results
          id={listId}
          groups={groups}
          active={active?.id ?? null}
          onPoint={({ id }) => {
            pointed.value = id;
          }}
          onChoose={choose}
        />
      )}
      <p role="status" class={items.length > 0 ? 'hidden' : 'status'}>
        {state}
      </p>
    </dialog>
  );
};
export default Palette;
