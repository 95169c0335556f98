import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { words } from '../shell/language.ts';
import { LanguageChoice } from '../shell/preferences.tsx';
import { Icon } from './icon.tsx';

export interface GateProps {
  title: string;
  children: ComponentChildren;
}

/** The layout of screens without a signed-in user: a card with a form, and no navigation. */
export const Gate = ({ title, children }: GateProps): JSX.Element => {
  useEffect(() => {
    document.title = `${title} · Uptrail`;
  }, [title]);
  return (
    <div class="gate">
      <main class="card">
        <p class="brand">
          <Icon name="logo" /> Uptrail
        </p>
        <h1>{title}</h1>
        {!isSecureContext && (
          <p class="notice">
            <Icon name="unlocked" />
            <span>{words.value.signIn.notEncrypted}</span>
          </p>
        )}
        {children}
      </main>
      <footer>
        <LanguageChoice />
      </footer>
    </div>
  );
};
