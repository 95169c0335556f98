/**
 * The script of the documentation. It copies code, remembers the chosen language of examples, and searches while the
 * user types.
 */
export {};

const LANGUAGE = 'uptrail-docs-language';

const samples = (): NodeListOf<HTMLDetailsElement> => document.querySelectorAll('details.sample');

const remembered = (): string | null => {
  try {
    return localStorage.getItem(LANGUAGE);
  } catch {
    return null;
  }
};

const remember = (language: string): void => {
  try {
    localStorage.setItem(LANGUAGE, language);
  } catch {
    // If storage is disabled, the choice applies only to this page.
  }
};

/** Shows the examples of one language and hides the others. */
const show = (language: string): void => {
  for (const sample of samples()) sample.open = sample.dataset['language'] === language;
};

const addLanguages = (): void => {
  const language = remembered();
  if (language !== null && language !== 'curl') show(language);
  document.addEventListener('click', (event) => {
    const summary = (event.target as Element).closest('details.sample > summary');
    const sample = summary?.parentElement as HTMLDetailsElement | null | undefined;
    const chosen = sample?.dataset['language'];
    if (!sample || sample.open || chosen === undefined) return;
    event.preventDefault();
    const before = sample.getBoundingClientRect().top;
    show(chosen);
    remember(chosen);
    // Scroll so that the clicked element stays in the same place on the screen.
    scrollBy(0, sample.getBoundingClientRect().top - before);
  });
};

const addCopying = (): void => {
  if (!('clipboard' in navigator)) return;
  for (const code of document.querySelectorAll('pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(code.textContent).then(() => {
        button.textContent = 'Copied';
        setTimeout(() => (button.textContent = 'Copy'), 2_000);
      });
    });
    const holder = document.createElement('div');
    holder.className = 'code';
    code.replaceWith(holder);
    holder.append(code, button);
  }
};

interface Hit {
  topic: { name: string; title: string };
  anchor: string;
  title: string;
  call: { methods: string[]; path: string } | null;
}

/** Debounce of the search field, in milliseconds. */
const PAUSE = 150;
const MOST_SHOWN = 8;

const addSearch = (): void => {
  const form = document.querySelector<HTMLFormElement>('form.search');
  const input = form?.querySelector('input');
  if (!form || !input) return;
  const list = document.createElement('ul');
  list.className = 'suggestions';
  list.hidden = true;
  form.append(list);
  const docs = form.action.replace(/\/search$/, '');
  let waiting = 0;
  let latest = 0;

  const item = ({ topic, anchor, title, call }: Hit): HTMLLIElement => {
    const link = document.createElement('a');
    link.href = `${docs}${topic.name === '' ? '' : `/${topic.name}`}#${anchor}`;
    const about = document.createElement('span');
    about.textContent = call ? `${call.methods.join(' ')} ${call.path}` : topic.title;
    link.append(title, about);
    link.addEventListener('click', () => (list.hidden = true));
    const entry = document.createElement('li');
    entry.append(link);
    return entry;
  };

  const find = async (): Promise<void> => {
    const own = (latest += 1);
    const query = input.value.trim();
    if (query.length < 2) {
      list.hidden = true;
      return;
    }
    try {
      const address = `${form.action}?${new URLSearchParams({ q: query }).toString()}`;
      const response = await fetch(address, { headers: { Accept: 'application/json' } });
      if (!response.ok || own !== latest) return;
      const { hits } = (await response.json()) as { hits: Hit[] };
      list.replaceChildren(...hits.slice(0, MOST_SHOWN).map(item));
      list.hidden = hits.length === 0;
    } catch {
      // Ignore the error: the user can still submit the search form.
    }
  };

  input.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => void find(), PAUSE);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      list.hidden = true;
      input.focus();
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const places: HTMLElement[] = [input, ...list.querySelectorAll('a')];
    const at = places.indexOf(document.activeElement as HTMLElement);
    const next = places[at + (event.key === 'ArrowDown' ? 1 : -1)];
    if (list.hidden || at === -1 || !next) return;
    event.preventDefault();
    next.focus();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget as Node | null)) list.hidden = true;
  });
};

addLanguages();
addCopying();
addSearch();
