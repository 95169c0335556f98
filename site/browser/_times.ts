/**
 * Shows times in the browser's time zone if the visitor has chosen that zone. The server renders times in the page's
 * time zone.
 */

const format = (options: Intl.DateTimeFormatOptions): ((at: Date) => string) => {
  const made = new Intl.DateTimeFormat(document.documentElement.lang, options);
  return (at) => made.format(at);
};

/** Rewrites all times within a part of the document in the browser's time zone, if the visitor has chosen that zone. */
export const localTimes = (within: ParentNode = document): void => {
  const page = document.querySelector<HTMLElement>('[data-zone]');
  if (page?.dataset['zone'] !== 'local') return;
  const moment = format({
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  const clock = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' });
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-time]')) {
    const at = new Date(time.dateTime);
    time.title ||= time.textContent;
    time.textContent = moment(at);
  }
  for (const span of within.querySelectorAll<HTMLElement>('[data-time="span"]')) {
    const [from, until] = [new Date(span.dataset['from'] ?? ''), new Date(span.dataset['until'] ?? '')];
    span.title ||= span.textContent;
    const sameDay = from.toDateString() === until.toDateString();
    span.textContent = `${moment(from)} – ${sameDay ? clock(until) : moment(until)}`;
  }
  const zone = document.querySelector('[data-zone-name]');
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const pageZone = page.dataset['pageZone'] ?? '';
  if (zone) zone.textContent = zone.textContent.replace(pageZone, timeZone);
};
