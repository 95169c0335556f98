/**
 * Strips of bars: what happened on a day is shown beside the pointer, the finger or the keyboard's focus. A strip is one
 * stop for the Tab key, and arrow keys go from bar to bar.
 */
const POPOVER = 'bar-details';

const dayText = (strip: HTMLElement, index: number): string => {
  const bar = strip.querySelector(`[data-bar="${index.toString()}"] title`);
  if (bar) return bar.textContent;
  const unknown = index < Number(strip.dataset['unknown']);
  const count = Number(strip.dataset['strip']);
  const { lang } = document.documentElement;
  // Only strips of days can name a day on which nothing happened.
  const state = (unknown ? strip.dataset['none'] : strip.dataset['fine']) ?? '';
  if (count !== 30 && count !== 90) return state;
  const day = new Date(Date.now() - (count - 1 - index) * 86_400_000);
  const name = new Intl.DateTimeFormat(lang, { weekday: 'long', month: 'long', day: 'numeric', ...zone(strip) }).format(
    day,
  );
  return `${name}: ${state}`;
};

const zone = (strip: Element): { timeZone?: string } => {
  const timeZone = strip.closest<HTMLElement>('[data-page-zone]')?.dataset['pageZone'];
  return timeZone === undefined ? {} : { timeZone };
};

const popover = (): HTMLElement => {
  const known = document.getElementById(POPOVER);
  if (known) return known;
  const made = document.createElement('div');
  made.id = POPOVER;
  made.className = 'popover';
  made.setAttribute('role', 'status');
  document.body.append(made);
  return made;
};

const show = (strip: HTMLElement, index: number): void => {
  const svg = strip.querySelector('svg');
  if (!svg) return;
  const count = Number(strip.dataset['strip']);
  for (const other of document.querySelectorAll('[data-active]')) other.removeAttribute('data-active');
  strip.querySelector(`[data-bar="${index.toString()}"]`)?.setAttribute('data-active', '');
  strip.dataset['at'] = index.toString();
  const shown = popover();
  shown.textContent = dayText(strip, index);
  shown.hidden = false;
  const { left, width, bottom } = svg.getBoundingClientRect();
  const isMirrored = getComputedStyle(svg).transform.startsWith('matrix(-1');
  const share = (index + 0.5) / count;
  const x = left + width * (isMirrored ? 1 - share : share) - shown.offsetWidth / 2;
  const most = document.documentElement.clientWidth - shown.offsetWidth - 8;
  // Positions are set by the script: the policy of pages allows no style attributes in markup.
  shown.style.left = `${Math.max(8, Math.min(x, most)).toString()}px`;
  shown.style.top = `${(bottom + window.scrollY + 4).toString()}px`;
};

const hide = (): void => {
  const shown = document.getElementById(POPOVER);
  if (shown) shown.hidden = true;
  for (const other of document.querySelectorAll('[data-active]')) other.removeAttribute('data-active');
};

const indexAt = (strip: HTMLElement, clientX: number): number => {
  const svg = strip.querySelector('svg');
  if (!svg) return 0;
  const { left, width } = svg.getBoundingClientRect();
  const count = Number(strip.dataset['strip']);
  const isMirrored = getComputedStyle(svg).transform.startsWith('matrix(-1');
  const share = (clientX - left) / width;
  return Math.max(0, Math.min(count - 1, Math.floor((isMirrored ? 1 - share : share) * count)));
};

const KEYS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

const stripOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-strip]') : null;

/** Makes the strips of the document reachable; again after parts of it were replaced. */
export const prepareStrips = (): void => {
  for (const strip of document.querySelectorAll<HTMLElement>('[data-strip]')) strip.tabIndex = 0;
};

/** Begins to follow pointers and keys. */
export const followStrips = (): void => {
  document.addEventListener('pointermove', (event) => {
    const strip = stripOf(event.target);
    if (strip) show(strip, indexAt(strip, event.clientX));
    else hide();
  });
  document.addEventListener('focusin', ({ target }) => {
    const strip = stripOf(target);
    if (strip && strip === target) show(strip, Number(strip.dataset['at'] ?? Number(strip.dataset['strip']) - 1));
    else hide();
  });
  document.addEventListener('focusout', hide);
  document.addEventListener('keydown', (event) => {
    const strip = stripOf(event.target);
    if (!strip) return;
    const last = Number(strip.dataset['strip']) - 1;
    const at = Number(strip.dataset['at'] ?? last);
    if (event.key === 'Escape') hide();
    if (event.key === 'Enter')
      location.assign(
        strip.querySelector(`[data-bar="${at.toString()}"]`)?.getAttribute('href') ?? strip.dataset['from'] ?? '',
      );
    const isMirrored = document.documentElement.dir === 'rtl';
    const key = isMirrored ? ({ ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }[event.key] ?? event.key) : event.key;
    const next = KEYS[key]?.(at, last);
    if (next === undefined) return;
    event.preventDefault();
    show(strip, Math.max(0, Math.min(last, next)));
  });
};
