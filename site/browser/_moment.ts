const SLIDER = 'input[data-moment]';

/** Returns the text of the time that a slider shows, in the visitor's time zone or in that of the page. */
const textOf = (slider: HTMLInputElement): string => {
  const { zone } = document.querySelector<HTMLElement>('[data-page-zone]')?.dataset ?? {};
  const timeZone = zone === 'local' ? undefined : slider.dataset['moment'];
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...(timeZone !== undefined && { timeZone }),
  });
  return format.format(Number(slider.value) * 1_000);
};

const showMoment = (slider: HTMLInputElement): void => {
  const text = textOf(slider);
  const output = slider.form?.querySelector('output');
  if (output) output.textContent = text;
  slider.setAttribute('aria-valuetext', text);
};

/**
 * Shows the chosen time beside each slider with which visitors select a moment in the history of a page. Live updates
 * replace this text, so this function must be called again after each update.
 */
export const showMoments = (): void => {
  for (const slider of document.querySelectorAll<HTMLInputElement>(SLIDER)) showMoment(slider);
};

/** Shows each time that a visitor selects, and loads the page as it was at that time. */
export const followMoments = (): void => {
  const follow = (type: 'input' | 'change', act: (slider: HTMLInputElement) => void): void => {
    document.addEventListener(type, ({ target }) => {
      if (target instanceof HTMLInputElement && target.matches(SLIDER)) act(target);
    });
  };
  follow('input', showMoment);
  follow('change', ({ form }) => {
    form?.requestSubmit();
  });
};
