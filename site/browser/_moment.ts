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

/**
 * Shows each time that a visitor selects. If the visitor uses a pointer, loads the page as it was at that time. Browsers
 * send `change` for each arrow key too, so with a keyboard the button of the form loads the page.
 */
export const followMoments = (): void => {
  let isByPointer = false;
  const follow = (
    type: 'pointerdown' | 'keydown' | 'input' | 'change',
    act: (slider: HTMLInputElement) => void,
  ): void => {
    document.addEventListener(type, ({ target }) => {
      if (target instanceof HTMLInputElement && target.matches(SLIDER)) act(target);
    });
  };
  follow('pointerdown', () => {
    isByPointer = true;
  });
  follow('keydown', () => {
    isByPointer = false;
  });
  follow('input', showMoment);
  follow('change', ({ form }) => {
    if (isByPointer) form?.requestSubmit();
  });
};
