import type { JSX } from 'preact';
import type { Frame } from '../status/frame.ts';

/** The feeds and the calendar of a page, which need no subscription. */
export const OtherWays = ({ frame }: { frame: Frame }): JSX.Element | null => {
  const { root, feeds, words } = frame;
  if (feeds.length === 0) return null;
  return (
    <section class="other-ways">
      <h2>{words.subscription.other}</h2>
      <p class="muted">{words.subscription.otherText}</p>
      <ul>
        {feeds.map(({ title, href }) => (
          <li key={href}>
            <a class="button" href={root + href}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};
