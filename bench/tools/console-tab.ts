/** Measurements in a browser tab that shows the list of checks. */
import type { Page } from 'playwright-core';

/** Types a filter text, and returns the milliseconds from each key until the result is rendered. */
export const measureFiltering = async (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const field = document.querySelector<HTMLInputElement>('.filter input');
    if (!field) throw new Error('There is no filter.');
    const times: number[] = [];
    const drawn = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    for (const text of ['shop 12', 'tag:team:shop', 'status:down']) {
      for (let length = 1; length <= text.length; length++) {
        await drawn();
        const began = performance.now();
        field.value = text.slice(0, length);
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
        await drawn();
        times.push(performance.now() - began);
      }
    }
    field.value = '';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return times;
  });

/**
 * Adds a tag to one check and removes it again.
 *
 * @returns the milliseconds until each change is shown, and the maximum number of rows that changed
 */
export const measureEditing = async (page: Page): Promise<{ times: number[]; rows: number }> =>
  page.evaluate(async () => {
    const find = (selector: string): HTMLElement => {
      const found = document.querySelector(selector);
      if (!(found instanceof HTMLElement)) throw new Error(`There is no ${selector}.`);
      return found;
    };
    const row = find('.checks tbody [data-id]');
    const selector = `.checks [data-id="${row.dataset['id'] ?? ''}"]`;
    find(`${selector} .pick input`).click();
    await new Promise((resolve) => setTimeout(resolve, 200));
    const times: number[] = [];
    let most = 0;
    for (const button of ['add', 'remove', 'add', 'remove']) {
      const touched = new Set<Element>();
      const before = find(selector).textContent;
      const observer = new MutationObserver((records) => {
        for (const { target } of records) {
          const changed = (target instanceof Element ? target : target.parentElement)?.closest('[data-id]');
          if (changed) touched.add(changed);
        }
      });
      observer.observe(find('.checks tbody'), { subtree: true, childList: true, characterData: true });
      const field = find('#bulk-tags-text') as HTMLInputElement;
      field.value = 'measured';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      const submitter = find(`#bulk-tags button${button === 'remove' ? '[value="remove"]' : ':not([value="remove"])'}`);
      const began = performance.now();
      field.form?.requestSubmit(submitter);
      while (document.querySelector(selector)?.textContent === before) {
        if (performance.now() - began > 10_000) throw new Error('Nothing has changed.');
        await new Promise((resolve) => setTimeout(resolve));
      }
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      observer.disconnect();
      most = Math.max(most, touched.size);
    }
    return { times, rows: most };
  });

/** Returns the fraction of a core that a tab uses during an operation. */
export const shareOf = async (page: Page, during: () => Promise<unknown>): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  };
  const [before, began] = [await busy(), performance.now()];
  await during();
  return ((await busy()) - before) / ((performance.now() - began) / 1_000);
};
