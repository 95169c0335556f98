// <script async src="https://status.example.com/embed.js" data-position="bottom"></script>
//
// Shows a banner while something is wrong. It sets style properties instead of adding a style element, because the
// policy of the embedding site may forbid style elements. Its texts are text nodes, so they can't contain markup.
// Options: data-position (bottom, top, inline), data-theme (auto, light, dark), data-lang (de).

interface State {
  /** null: nothing is wrong */
  banner: { text: string; detail: string; color: string; dark: string } | null;
  url: string;
  words: { details: string; close: string };
}

const EVERY_MS = 60_000;

const script = document.currentScript as HTMLScriptElement | null;

/**
 * Creates an element with style properties. All other properties are reset, so that the styles of the embedding site do
 * not apply.
 */
const element = (tag: string, style: string, text = ''): HTMLElement => {
  const made = document.createElement(tag);
  made.style.cssText = `all:initial;box-sizing:border-box;font:14px/20px system-ui,sans-serif;${style}`;
  made.textContent = text;
  return made;
};

const start = (own: HTMLScriptElement): void => {
  const { position = 'bottom', theme = 'auto', lang = '' } = own.dataset;
  const source = new URL(own.src);
  source.pathname = source.pathname.replace(/embed\.js$/, 'embed.json');
  source.search = lang && `?lang=${encodeURIComponent(lang)}`;
  const darkScheme = matchMedia('(prefers-color-scheme: dark)');
  let host: HTMLElement | null = null;
  let shown = '';
  let closed = '';

  const show = ({ banner, url, words }: State): void => {
    const dark = theme === 'dark' || (theme === 'auto' && darkScheme.matches);
    const next = banner && banner.text + banner.detail !== closed ? JSON.stringify([banner, url, dark]) : '';
    if (next === shown) return;
    shown = next;
    host?.remove();
    host = null;
    if (!banner || next === '') return;
    const place =
      position === 'inline'
        ? 'display:block'
        : `display:block;position:fixed;z-index:2147483647;left:16px;right:16px;${position === 'top' ? 'top' : 'bottom'}:16px`;
    host = element('div', place);
    const root = host.attachShadow({ mode: 'open' });
    const [back, front, edge] = dark ? ['#181c22', '#e8ebef', '#2a313b'] : ['#fff', '#14181f', '#e3e6ea'];
    const box = element(
      'div',
      `display:flex;gap:12px;align-items:center;max-width:560px;margin:0 auto;padding:12px 16px;border:1px solid ${edge};border-left:4px solid ${dark ? banner.dark : banner.color};border-radius:6px;background:${back};color:${front}`,
    );
    box.setAttribute('role', 'status');
    const texts = element('div', 'flex:1;min-width:0;color:inherit;overflow-wrap:anywhere');
    texts.append(
      element('strong', 'display:block;font-weight:600;color:inherit', banner.text),
      element('span', 'display:block;color:inherit', banner.detail),
    );
    const link = element(
      'a',
      'cursor:pointer;text-decoration:underline;color:inherit',
      words.details,
    ) as HTMLAnchorElement;
    link.href = new URL(url, source).href;
    link.target = '_blank';
    link.rel = 'noopener';
    const close = element('button', 'cursor:pointer;color:inherit;padding:4px 8px', '\u00d7');
    close.setAttribute('aria-label', words.close);
    close.onclick = () => {
      closed = banner.text + banner.detail;
      host?.remove();
      host = null;
      shown = '';
    };
    box.append(texts, link, close);
    root.append(box);
    if (position === 'inline') own.after(host);
    else document.body.append(host);
  };

  const ask = (): void => {
    if (document.hidden) return;
    window
      .fetch(source, { credentials: 'omit' })
      .then((answer) => (answer.ok ? (answer.json() as Promise<State>) : null))
      .then((state) => {
        if (state) show(state);
      })
      // Ignore the error, because the embedding page works without the banner.
      .catch(() => undefined);
  };

  ask();
  setInterval(ask, EVERY_MS);
  document.addEventListener('visibilitychange', ask);
};

if (script) {
  // If the script is in the head of the page, it runs before the body exists.
  if (document.readyState === 'loading')
    document.addEventListener('DOMContentLoaded', () => {
      start(script);
    });
  else start(script);
}
