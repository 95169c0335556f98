import type { JSX } from 'preact';
import { ReturnField, FormError } from './form-fields.tsx';
import type { Frame } from './frame.ts';
import { StatusDocument } from './status-document.tsx';

export interface SignInPageProps {
  frame: Frame;
  /** e-mail address that the visitor has already submitted */
  email: string;
  /**
   * null: the form asks for e-mail address and password. Otherwise, the password was correct, and the form asks for a
   * code of the second factor
   */
  challenge: string | null;
  /** address to which the form redirects, relative to the page's root */
  back: string;
  /** error message for the submitted form */
  problem: string | null;
}

/** The sign-in form for members of the page's organization, or the form for a code of the second factor. */
export const SignInPage = ({ frame, email, challenge, back, problem }: SignInPageProps): JSX.Element => {
  const words = frame.words.access;
  const title = challenge === null ? words.signInTitle : words.codeTitle;
  return (
    <StatusDocument frame={frame} title={title} isForm>
      <section class="message">
        <h1>{title}</h1>
        <p>{challenge === null ? words.signInText : words.codeText}</p>
        <form method="post" action={`${frame.root}sign-in`}>
          <FormError text={problem} />
          <ReturnField to={back} />
          {challenge === null ? (
            <>
              <label>
                {words.email}
                <input type="email" name="email" value={email} autocomplete="username" required autofocus />
              </label>
              <label>
                {words.password}
                <input type="password" name="password" autocomplete="current-password" required />
              </label>
            </>
          ) : (
            <>
              <input type="hidden" name="challenge" value={challenge} />
              <label>
                {words.code}
                <input name="code" autocomplete="one-time-code" required autofocus />
              </label>
            </>
          )}
          <button class="button primary">{words.signIn}</button>
        </form>
      </section>
    </StatusDocument>
  );
};
