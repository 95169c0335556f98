import type { JSX } from 'preact';
import { PAGE_LANGUAGES } from '../../messages/words/languages.ts';
import type { Frame } from './frame.ts';

const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ru: 'Русский' } as const;

/**
 * The footer of a page, with the visitor's display settings, links to other formats of the page, and the name of the
 * service.
 */
export const Footer = ({ frame }: { frame: Frame }): JSX.Element => {
  const { root, here = '', words, language, zone, theme, pageZone, feeds, links } = frame;
  const { choices } = words;
  return (
    <footer class="site-footer">
      <details class="choices">
        <summary>
          <span data-zone-name>{choices.timesIn(zone === 'utc' ? 'UTC' : pageZone)}</span> · {LANGUAGE_NAMES[language]}
        </summary>
        <form method="post" action={`${root}choices`}>
          {here !== '' && <input type="hidden" name="return" value={here} />}
          <label>
            {choices.zone}
            <select name="zone">
              <option value="local" selected={zone === 'local'}>
                {choices.zones.local}
              </option>
              <option value="page" selected={zone === 'page'}>
                {choices.zones.page(pageZone)}
              </option>
              <option value="utc" selected={zone === 'utc'}>
                {choices.zones.utc}
              </option>
            </select>
          </label>
          <label>
            {choices.language}
            <select name="language">
              {PAGE_LANGUAGES.map((one) => (
                <option key={one} value={one} lang={one} selected={one === language}>
                  {LANGUAGE_NAMES[one]}
                </option>
              ))}
            </select>
          </label>
          <label>
            {choices.theme}
            <select name="theme">
              {(['auto', 'light', 'dark'] as const).map((one) => (
                <option key={one} value={one} selected={one === theme}>
                  {choices.themes[one]}
                </option>
              ))}
            </select>
          </label>
          <button class="button">{choices.apply}</button>
        </form>
      </details>
      {frame.isMember && (
        <form method="post" action={`${root}sign-out`}>
          <button class="link">{words.access.signOut}</button>
        </form>
      )}
      <ul class="links">
        {links.map(({ title, href }) => (
          <li key={href}>
            <a href={href} rel="noopener noreferrer">
              {title}
            </a>
          </li>
        ))}
        {feeds.map(({ title, href }) => (
          <li key={href}>
            <a href={root + href}>{title}</a>
          </li>
        ))}
      </ul>
      <p
        class="muted"
        data-connection
        data-updated={`${words.connection.lastUpdate}: {ago}`}
        data-reconnecting={`${words.connection.lost} ${words.connection.lastUpdate}: {ago}`}
      ></p>
      <p class="muted">{words.poweredBy} Uptrail</p>
    </footer>
  );
};
