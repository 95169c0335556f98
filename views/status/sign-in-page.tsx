import type { JSX } from 'preact';
import { Back, Problem } from './form-fields.tsx';
import type { Frame } from './frame.ts';
import { StatusDocument } from './status-document.tsx';

export interface SignInPageProps {
  frame: Frame;
  /** as it was sent before */
  email: string;
  /** set: the password was right, and a code of the second factor is asked for */
  challenge: string | null;
  /** where the form leads back to, relative to the page's root */
  back: string;
  /** what was wrong with the form that was sent */
  problem: string | null;
}

/** Asks for an account of the page's organization, or for a code of its second factor. */
export const SignInPage = ({ frame, email, challenge, back, problem }: SignInPageProps): JSX.Element => {
  const words = frame.words.access;
  const title = challenge === null ? words.signInTitle : words.codeTitle;
  return (
    <StatusDocument frame={frame} title={title} isForm>
      <section class="message">
        <h1>{title}</h1>
        <p>{challenge === null ? words.signInText : words.codeText}</p>
        <form method="post" action={`${frame.root}sign-in`}>
          <Problem text={problem} />
          <Back to={back} />
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
