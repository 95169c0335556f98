import type { JSX } from 'preact';
import { ReturnField, FormError } from './form-fields.tsx';
import type { Frame } from './frame.ts';
import { StatusDocument } from './status-document.tsx';

export interface PasswordPageProps {
  frame: Frame;
  /** hints for the passwords */
  hints: readonly string[];
  /** address to which the form redirects, relative to the page's root */
  back: string;
  /** error message for the submitted form */
  problem: string | null;
}

/** The password form of a status page. */
export const PasswordPage = ({ frame, hints, back, problem }: PasswordPageProps): JSX.Element => {
  const words = frame.words.access;
  return (
    <StatusDocument frame={frame} title={words.passwordTitle} isForm>
      <section class="message">
        <h1>{words.passwordTitle}</h1>
        <p>{words.passwordText}</p>
        <form method="post" action={`${frame.root}access`}>
          <FormError text={problem} />
          <ReturnField to={back} />
          <label>
            {words.password}
            <input type="password" name="password" autocomplete="current-password" required autofocus />
          </label>
          {hints.map((hint) => (
            <p class="hint">
              {words.hint} <bdi>{hint}</bdi>
            </p>
          ))}
          <button class="button primary">{words.open}</button>
        </form>
      </section>
    </StatusDocument>
  );
};
