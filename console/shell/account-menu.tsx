import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Failure } from '../api/failure.ts';
import { Icon } from '../parts/icon.tsx';
import { Link } from '../parts/link.tsx';
import { sentenceOf } from '../parts/failure-panel.tsx';
import { signOut, user } from '../session/session.ts';
import { words } from './language.ts';
import { LanguageChoice, ShortcutsChoice, ThemeChoice } from './preferences.tsx';

/** The menu with the signed-in user, preferences, and sign-out. */
export const AccountMenu = (): JSX.Element | null => {
  const failure = useSignal<Failure | null>(null);
  const leaving = useSignal(false);
  const { shell } = words.value;
  const who = user.value;
  if (!who) return null;
  const names = [who.first_name, who.last_name].filter((name) => name !== null).join(' ');
  const leave = async (): Promise<void> => {
    leaving.value = true;
    failure.value = null;
    try {
      await signOut();
    } catch (error) {
      failure.value = error as Failure;
      leaving.value = false;
    }
  };
  return (
    <div class="account">
      <button class="avatar" popovertarget="account" aria-label={`${shell.account}: ${who.email}`}>
        {(names || who.email).slice(0, 1).toUpperCase()}
      </button>
      <div id="account" class="menu" popover="auto">
        <p class="who">
          {names !== '' && <bdi class="name">{names}</bdi>}
          <bdi>{who.email}</bdi>
          <span class="role">{(shell.roles as Record<string, string>)[who.role] ?? who.role}</span>
        </p>
        <ul
          class="own"
          onClick={() => {
            document.getElementById('account')?.hidePopover();
          }}
        >
          {(['profile', 'sessions', 'wall'] as const).map((name) => (
            <li key={name}>
              <Link to={`/${name}`}>{words.value.screens[name]}</Link>
            </li>
          ))}
        </ul>
        <ThemeChoice />
        <LanguageChoice />
        <ShortcutsChoice />
        {failure.value && (
          <p class="problem" role="alert">
            {sentenceOf(failure.value)}
          </p>
        )}
        <button class="button wide" disabled={leaving.value} onClick={() => void leave()}>
          <Icon name="leave" /> {shell.signOut}
        </button>
      </div>
    </div>
  );
};
