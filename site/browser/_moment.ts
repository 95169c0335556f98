/**
 * Shows the chosen time beside the slider with which visitors select a moment in the history of a page. Then loads the
 * page as it was at that moment.
 */
export const followMoments = (): void => {
  for (const slider of document.querySelectorAll<HTMLInputElement>('input[data-moment]')) {
    const { form } = slider;
    const output = form?.querySelector('output');
    const { zone } = document.querySelector<HTMLElement>('[data-page-zone]')?.dataset ?? {};
    const timeZone = zone === 'local' ? undefined : slider.dataset['moment'];
    const moment = new Intl.DateTimeFormat(document.documentElement.lang, {
      dateStyle: 'medium',
      timeStyle: 'short',
      ...(timeZone !== undefined && { timeZone }),
    });
    const name = (): void => {
      const text = moment.format(Number(slider.value) * 1_000);
      if (output) output.textContent = text;
      slider.setAttribute('aria-valuetext', text);
    };
    name();
    slider.addEventListener('input', name);
    slider.addEventListener('change', () => {
      form?.requestSubmit();
    });
  }
};
