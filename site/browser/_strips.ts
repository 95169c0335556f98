/**
 * Makes strips of bars interactive. The details of a day are shown next to the bar under the pointer, or next to the
 * bar that the keyboard selected. Each strip is one Tab stop, in which the arrow keys move from bar to bar. Screen
 * readers treat a strip as a slider and announce the selected bar as its value.
 */
const POPOVER = 'bar-details';
/** The data that all strips of the page share. `BarShapes` (views/status/bars.tsx) renders it as attributes. */
const scale = document.querySelector<SVGElement>('[data-step]')?.dataset ?? {};
const step = Number(scale['step']);
const count = Number(scale['count']);
const last = count - 1;
const [from, until] = [Date.parse(scale['from'] ?? ''), Date.parse(scale['until'] ?? '')] as [number, number];
const isOfDays = scale['days'] !== undefined;

const barAt = (strip: HTMLElement, index: number): Element | null => strip.querySelector(`[x="${index * step}"]`);

/**
 * Returns the time in the middle of a bar. All bars have the same width, although some days have 23 or 25 hours.
 * Nevertheless, the middle of a bar is always within the correct day.
 */
const timeAt = (index: number): Date => new Date(from + ((index + 0.5) * (until - from)) / count);

const format = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const { zone, pageZone } = document.querySelector<HTMLElement>('[data-page-zone]')?.dataset ?? {};
  // Days are always days of the page's time zone. Times are in the zone that the visitor has chosen.
  const timeZone = isOfDays || zone === 'page' ? pageZone : zone === 'utc' ? 'UTC' : undefined;
  return new Intl.DateTimeFormat(locale, { ...options, ...(timeZone !== undefined && { timeZone }) });
};

const nameAt = (index: number): string => {
  const { lang } = document.documentElement;
  if (isOfDays) return format(lang, { weekday: 'long', month: 'long', day: 'numeric' }).format(timeAt(index));
  const moment = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return format(lang, { ...moment, timeZoneName: 'short' }).format(from + (index * (until - from)) / count);
};

const textAt = (strip: HTMLElement, index: number): string => {
  const bar = barAt(strip, index);
  const unknown = Number(strip.querySelector('svg svg')?.getAttribute('width') ?? 0) / step;
  const state = bar?.getAttribute('href')?.slice('#b-'.length) ?? (index < unknown ? 'none' : 'operational');
  const lengths = (strip.dataset['lengths'] ?? '').split('|');
  const length = bar ? lengths[[...strip.querySelectorAll('[x]')].indexOf(bar)] : '';
  return `${nameAt(index)}: ${scale[state] ?? ''}${length ? `, ${length}` : ''}`;
};

/**
 * Returns the URL that a bar links to: the component's own page. If bars represent days, the URL leads to the day's row
 * in the table.
 */
const addressAt = (strip: HTMLElement, index: number): string => {
  const page = strip.dataset['href'] ?? strip.closest('.row')?.querySelector('a')?.href ?? '';
  if (!isOfDays) return page;
  const parts = format('en', { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(timeAt(index));
  const part = (name: string): string => parts.find(({ type }) => type === name)?.value ?? '';
  return `${page}#d-${part('year')}-${part('month')}-${part('day')}`;
};

const popover = (): HTMLElement => {
  const known = document.getElementById(POPOVER);
  if (known) return known;
  const made = document.createElement('div');
  made.id = POPOVER;
  made.className = 'popover';
  made.setAttribute('aria-hidden', 'true');
  document.body.append(made);
  return made;
};

const setAttributes = (element: Element, attributes: Readonly<Record<string, string | number>>): void => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value.toString());
};

const activate = (strip: HTMLElement | null, index: number): void => {
  for (const other of document.querySelectorAll('[data-active]')) other.removeAttribute('data-active');
  if (strip) barAt(strip, index)?.setAttribute('data-active', '');
};

const isMirrored = (svg: SVGElement): boolean => getComputedStyle(svg).transform.startsWith('matrix(-1');

const show = (strip: HTMLElement, index: number): void => {
  const svg = strip.querySelector('svg');
  if (!svg) return;
  activate(strip, index);
  const text = textAt(strip, index);
  strip.dataset['at'] = index.toString();
  setAttributes(strip, { 'aria-valuenow': index + 1, 'aria-valuetext': text });
  const shown = popover();
  shown.textContent = text;
  shown.hidden = false;
  const { left, width, bottom } = svg.getBoundingClientRect();
  const share = (index + 0.5) / count;
  const x = left + width * (isMirrored(svg) ? 1 - share : share) - shown.offsetWidth / 2;
  const most = document.documentElement.clientWidth - shown.offsetWidth - 8;
  // Set positions by script, because the content security policy of the pages allows no style attributes in markup.
  shown.style.left = `${Math.max(8, Math.min(x, most))}px`;
  shown.style.top = `${bottom + window.scrollY}px`;
};

const hide = (): void => {
  const shown = document.getElementById(POPOVER);
  if (shown) shown.hidden = true;
  activate(null, 0);
};

/**
 * Returns whether an element belongs to the details. The details stay open when the pointer moves onto them (WCAG
 * 1.4.13).
 */
const isDetails = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(`#${POPOVER}`) !== null;

const indexAt = (strip: HTMLElement, clientX: number): number => {
  const svg = strip.querySelector('svg');
  if (!svg) return 0;
  const { left, width } = svg.getBoundingClientRect();
  const share = (clientX - left) / width;
  return Math.max(0, Math.min(count - 1, Math.floor((isMirrored(svg) ? 1 - share : share) * count)));
};

const KEYS: Readonly<Record<string, (at: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  Home: () => 0,
  End: () => last,
};
const MIRRORED_KEYS: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

const stripOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('.strip') : null;

const currentOf = (strip: HTMLElement): number => Number(strip.dataset['at'] ?? last);

/** Makes the strips of the document focusable. Call it again after parts of the document were replaced. */
export const prepareStrips = (): void => {
  for (const strip of document.querySelectorAll<HTMLElement>('.strip')) {
    const at = currentOf(strip);
    setAttributes(strip, {
      tabindex: 0,
      role: 'slider',
      'aria-valuemin': 1,
      'aria-valuemax': count,
      'aria-valuenow': at + 1,
      'aria-valuetext': textAt(strip, at),
    });
  }
};

const onPointer = (event: PointerEvent): void => {
  const strip = stripOf(event.target);
  if (strip) show(strip, indexAt(strip, event.clientX));
  else if (!isDetails(event.target)) hide();
};

/** Starts handling pointer and keyboard events. */
export const followStrips = (): void => {
  document.addEventListener('pointermove', onPointer);
  document.addEventListener('pointerdown', onPointer);
  document.addEventListener('click', (event) => {
    const strip = stripOf(event.target);
    // A click opens the component's page. On a touch screen, a tap shows the details instead.
    if (!strip || event.detail === 0 || matchMedia('(hover: none)').matches) return;
    const at = indexAt(strip, event.clientX);
    if (barAt(strip, at)) location.assign(addressAt(strip, at));
  });
  document.addEventListener('focusin', ({ target }) => {
    const strip = stripOf(target);
    if (strip) show(strip, currentOf(strip));
    else hide();
  });
  document.addEventListener('focusout', hide);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
    const strip = stripOf(event.target);
    if (!strip) return;
    if (event.key === 'Enter') location.assign(addressAt(strip, currentOf(strip)));
    const key = document.documentElement.dir === 'rtl' ? (MIRRORED_KEYS[event.key] ?? event.key) : event.key;
    const next = KEYS[key]?.(currentOf(strip));
    if (next === undefined) return;
    event.preventDefault();
    show(strip, Math.max(0, Math.min(last, next)));
  });
};
