import { computed, effect, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { pastTime } from '../parts/times/shown-time.ts';
import { historyAt } from '../router/histories.ts';
import { currentLocation } from '../router/router.ts';

/* The moment whose state the screen shows. It is in the query of the URL (`?at=2026-11-20T15:01:00`), so that past
   states can be bookmarked and shared. Screens do not know about past states: `call` adds the moment to their requests,
   `may` permits nothing but reading, and forms are disabled. */

/** The moment in the URL: an API time (UTC without a designator), or any other text that the URL has. */
export const pastMoment = computed<string | null>(() => {
  const { path, query } = currentLocation.value;
  const at = query.get('at');
  return at === null || historyAt(path) === null ? null : at.replace(/Z$/i, '');
});

/** Whether the control for past states is open. The control is always shown while the screen shows a past state. */
export const isPastOpen = signal(false);

/** The moment that the service has refused because it is in the future. */
export const refusedMoment = signal<string | null>(null);

/** A moment at which the resource did not exist yet. */
export const absentMoment = signal<string | null>(null);

const TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?$/;

/** What is wrong with the moment in the URL; null: nothing. */
export const momentProblem = computed<'none' | 'future' | null>(() => {
  const at = pastMoment.value;
  if (at === null) return null;
  if (!TIME.test(at) || Number.isNaN(Date.parse(`${at}Z`))) return 'none';
  return refusedMoment.value === at ? 'future' : null;
});

/** The resource and the moment that the screen shows. */
export const shownState = computed<string>(
  () => `${historyAt(currentLocation.value.path)?.resource ?? ''} ${pastMoment.value ?? ''}`,
);

/** Names of fields that the service could not derive for a past state (docs/reference/history.md). */
const unknown = signal<{ state: string; names: ReadonlySet<string> }>({ state: '', names: new Set() });

/**
 * Records the header `Uptrail-Unknown` of a response. Forgets the names of other states.
 *
 * @param state the shown state when the request was sent
 */
export const rememberUnknown = (state: string, header: string | null): void => {
  if (header === null || state !== shownState.peek()) return;
  const names = header.split(/,\s*/);
  const { state: before, names: known } = unknown.peek();
  if (before !== state) unknown.value = { state, names: new Set(names) };
  else if (names.some((name) => !known.has(name))) unknown.value = { state, names: new Set([...known, ...names]) };
};

/** Returns whether a field has no value because it can't be derived for the past state. */
export const isUnknown = (name: string, value: unknown): boolean => {
  if (pastMoment.value === null || (value !== null && value !== undefined)) return false;
  const { state, names } = unknown.value;
  return state === shownState.value && names.has(name);
};

effect(() => {
  const at = pastMoment.value;
  pastTime.value = at === null || momentProblem.value !== null ? null : Date.parse(`${at}Z`);
});

/** The moment shown by the surrounding screen. Null outside of screens and for the present. */
export const PastContext = createContext<string | null>(null);

/** Returns the moment shown by the surrounding screen; null: the present. */
export const usePast = (): string | null => useContext(PastContext);
